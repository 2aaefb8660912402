import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import SqliteDatabase from 'better-sqlite3'
import { assertWithin } from '../support/assert-within.ts'
import { temporaryFolder } from '../support/database.ts'
import { aPartOfTheExample } from '../support/part-of-example.ts'
import { startSite, waitFor } from '../support/running-site.ts'
import { printFigure, soakLength } from '../support/soak.ts'
import { postUntilGone } from '../support/submission-server.ts'

const TIMES = soakLength(1, 50)
const AT_ONCE = 8
const WITHIN_MS = 10_000

function* newIds() {
  for (;;) yield randomUUID()
}

test('SIGTERM under load resets no connection, loses no acknowledged submission, and exits within 10 s', async (t) => {
  const dataDir = temporaryFolder(t)
  const contentDir = aPartOfTheExample(t)
  const acknowledged = new Set<string>()
  const endings: (string | undefined)[] = []
  let slowestMs = 0
  for (let times = 0; times < TIMES; times += 1) {
    const site = await startSite(t, { dataDir, contentDir })
    const ids = newIds()
    const load = Array.from({ length: AT_ONCE }, () =>
      postUntilGone(site, { ids, onAccepted: (id) => acknowledged.add(id) }),
    )
    const enough = acknowledged.size + 50
    await waitFor(() => acknowledged.size > enough, 60_000)
    const startedAt = performance.now()
    const closed = once(site.process, 'close')
    site.process.kill('SIGTERM')
    const [code] = await closed
    slowestMs = Math.max(slowestMs, performance.now() - startedAt)
    endings.push(...(await Promise.all(load)))
    assert.equal(code, 0, site.output())
  }
  assert.deepEqual(new Set(endings), new Set(['ECONNREFUSED']))
  const file = new SqliteDatabase(join(dataDir, 'signpost.db'))
  t.after(() => file.close())
  const stored = new Set(file.prepare('select client_id from form_submissions').pluck().all())
  assert.deepEqual(
    [...acknowledged].filter((id) => !stored.has(id)),
    [],
  )
  assertWithin(slowestMs, WITHIN_MS)
  printFigure(
    t,
    `0 of ${acknowledged.size} lost and 0 of ${endings.length} connections reset in ${TIMES} stops, the slowest ${Math.round(slowestMs)} ms`,
  )
})
