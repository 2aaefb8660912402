import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { connectSqlite } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import { assertWithin } from '../../support/assert-within.ts'
import { temporaryFolder } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'
import { printFigure, soakLength } from '../../support/soak.ts'

const STORED = soakLength(100_000, 1_000_000)
const PAST = 2_000
const PROMISE_MS = 50

test('reliability: retention never blocks the event loop for 50 ms, for any number of submissions', async (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'signpost.db')
  const db = connectSqlite(path)
  await migrate(db)
  const { id } = await storeForm(db, 'quote', { settings: { retention_days: 30 } })
  const numbers = (count: number) =>
    sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})`
  const answers = JSON.stringify({ answer: 'x'.repeat(200) })
  const age = sql`case when i <= ${sql.lit(PAST)} then '2020-01-01T00:00:00.000Z' else '2999-01-01T00:00:00.000Z' end`
  await sql`${numbers(STORED)} insert into form_submissions (form_id, data_json, submitted_at) select ${id}, ${answers}, ${age} from n`.execute(
    db,
  )
  // Those that go have three deliveries each, with three attempts that keep their answers.
  await sql`insert into webhook_deliveries (submission_id, form_id) select s.id, s.form_id
    from form_submissions s, (select 1 union all select 2 union all select 3) where s.submitted_at < '2021'`.execute(
    db,
  )
  await sql`insert into delivery_bodies (delivery_id, body) select id, ${answers} from webhook_deliveries`.execute(
    db,
  )
  await sql`insert into delivery_attempts (delivery_id, attempt_number, started_at, duration_ms, request_url, response_body)
    select id, attempt, '2020', 1, 'https://hooks.example.com', ${'r'.repeat(2_000)}
    from webhook_deliveries, (select 1 as attempt union all select 2 union all select 3)`.execute(db)
  await db.destroy()

  const script = join(PROJECT_DIR, 'tests/fixtures/retention-process.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, path, folder])
  const { removed, ownMs, clockMs } = JSON.parse(stdout)
  assert.deepEqual(removed, [PAST])
  printFigure(
    t,
    `${STORED} stored, ${PAST} removed: held ${ownMs.toFixed(0)} ms of its own, ${clockMs.toFixed(0)} ms elapsed`,
  )
  assertWithin(ownMs, PROMISE_MS)
})
