import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import SqliteDatabase from 'better-sqlite3'
import { temporaryFolder } from '../support/database.ts'
import { runScript, waitFor } from '../support/running-site.ts'
import { printFigure, soakLength } from '../support/soak.ts'
import { postUntilGone, startSubmissionServer } from '../support/submission-server.ts'

const SUBMISSIONS = soakLength(200, 20_000)
const AT_ONCE = 8

function* newIds() {
  for (;;) yield randomUUID()
}

test('a backup taken under load restores to the rows of its moment, and the load goes on', async (t) => {
  const dataDir = temporaryFolder(t)
  const server = await startSubmissionServer(t, dataDir)
  const before = new Set<string>()
  const after = new Set<string>()
  let acknowledged = before
  const ids = newIds()
  const load = Array.from({ length: AT_ONCE }, () =>
    postUntilGone(server, { ids, onAccepted: (id) => acknowledged.add(id) }),
  )
  await waitFor(() => before.size >= SUBMISSIONS, 120_000)
  acknowledged = after
  const file = join(dataDir, 'copy.db')
  const backup = await runScript('backup.ts', { dataDir, arguments: [file] })
  assert.equal(backup.code, 0, backup.output)
  const meanwhile = after.size
  assert.ok(meanwhile > 0, 'nothing was accepted while the copy was taken')
  await waitFor(() => after.size > meanwhile)
  server.process.kill('SIGKILL')
  await Promise.all(load)

  const live = rowsById(join(dataDir, 'signpost.db'))
  const restored = await runScript('restore.ts', { dataDir, arguments: [file] })
  assert.equal(restored.code, 0, restored.output)
  const rows = rowsById(join(dataDir, 'signpost.db'))
  assert.deepEqual(
    [...before].filter((id) => !rows.has(id)),
    [],
  )
  for (const [id, row] of rows) assert.equal(row, live.get(id))
  printFigure(t, `${rows.size} rows identical, ${meanwhile} posts accepted while the copy was taken`)
})

/** Every submission as text, by the id its sender gave. */
function rowsById(path: string): Map<string, string> {
  const file = new SqliteDatabase(path)
  try {
    const rows = file.prepare('select * from form_submissions').all() as { client_id: string }[]
    return new Map(rows.map((row) => [row.client_id, JSON.stringify(row)]))
  } finally {
    file.close()
  }
}
