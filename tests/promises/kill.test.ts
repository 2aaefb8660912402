import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { connectSqlite } from '#src/db/connect.ts'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { migrate } from '#src/db/migrate.ts'
import { loadReport } from '#src/submissions/results/load-report.ts'
import { temporaryFolder } from '../support/database.ts'
import { storeWebhook } from '../support/desk.ts'
import { startReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/running-site.ts'
import { printFigure, soakLength } from '../support/soak.ts'
import { postUntilGone, startSubmissionServer } from '../support/submission-server.ts'

const KILLS = soakLength(4, 100)
const AT_ONCE = 8
const MOST_ACKNOWLEDGED = 60
const MOST_DELAY_MS = 5
const WAITLIST = 1

function* newIds() {
  for (;;) yield randomUUID()
}

test('an acknowledged submission survives kill -9 under load, with its deliveries', async (t) => {
  const receiver = await startReceiver(t, 200)
  const dataDir = temporaryFolder(t)
  const path = join(dataDir, 'signpost.db')
  const db = connectSqlite(path)
  await migrate(db)
  await storeWebhook(db, WAITLIST, { url: receiver.url })

  const acknowledged = new Set<string>()
  for (let kills = 0; kills < KILLS; kills += 1) {
    const server = await startSubmissionServer(t, dataDir)
    const ids = newIds()
    const load = Array.from({ length: AT_ONCE }, () =>
      postUntilGone(server, { ids, onAccepted: (id) => acknowledged.add(id) }),
    )
    const enough = acknowledged.size + 1 + Math.random() * MOST_ACKNOWLEDGED
    await waitFor(() => acknowledged.size >= enough, 60_000)
    await wait(Math.random() * MOST_DELAY_MS)
    const exited = once(server.process, 'exit')
    server.process.kill('SIGKILL')
    await Promise.all([exited, ...load])
  }

  const file = new SqliteDatabase(path)
  t.after(() => file.close())
  const stored = new Set(file.prepare('select client_id from form_submissions').pluck().all())
  const lost = [...acknowledged].filter((id) => !stored.has(id))
  const alone = file
    .prepare(
      'select count(*) from form_submissions where id not in (select submission_id from webhook_deliveries)',
    )
    .pluck()
    .get()
  assert.deepEqual({ lost, alone }, { lost: [], alone: 0 })
  // Each start adds up the leads of before, and is killed at some moment of that.
  const { total } = await loadReport(db, { period: String(new Date().getUTCFullYear()), scope: EVERY_LEAD })
  await db.destroy()
  assert.equal(total.leads, stored.size)
  assert.equal(file.pragma('integrity_check', { simple: true }), 'ok')
  assert.deepEqual(file.pragma('foreign_key_check'), [])
  printFigure(
    t,
    `0 of ${acknowledged.size} lost in ${KILLS} kills, 0 submissions without their deliveries, results count each`,
  )
})
