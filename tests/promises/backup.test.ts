import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
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

test('a backup taken under load restores the rows at its start and blocks no writes', async (t) => {
  const dataDir = temporaryFolder(t)
  const server = await startSubmissionServer(t, dataDir)
  const acknowledged: string[] = []
  const ids = newIds()
  const load = Array.from({ length: AT_ONCE }, () =>
    postUntilGone(server, { ids, onAccepted: (id) => acknowledged.push(id) }),
  )
  await waitFor(() => acknowledged.length >= SUBMISSIONS, 120_000)
  const file = join(dataDir, 'copy.db')
  let before = 0
  const counting = setInterval(() => {
    if (existsSync(`${file}.unfinished`) || existsSync(file)) clearInterval(counting)
    else before = acknowledged.length
  }, 5)
  const backup = await runScript('backup.ts', { dataDir, arguments: [file] })
  clearInterval(counting)
  assert.equal(backup.code, 0, backup.output)
  const meanwhile = acknowledged.length - before
  assert.ok(meanwhile > 0, 'nothing was accepted while the copy was taken')
  await waitFor(() => acknowledged.length > before + meanwhile)
  server.process.kill('SIGKILL')
  await Promise.all(load)

  const live = rowsById(join(dataDir, 'signpost.db'))
  const restored = await runScript('restore.ts', { dataDir, arguments: [file] })
  assert.equal(restored.code, 0, restored.output)
  assert.doesNotMatch(restored.output, /SECRET_KEY/)
  const rows = rowsById(join(dataDir, 'signpost.db'))
  assert.deepEqual(
    acknowledged.slice(0, before).filter((id) => !rows.has(id)),
    [],
  )
  for (const [id, row] of rows) assert.equal(row, live.get(id))
  const other = temporaryFolder(t)
  const refused = await runScript('restore.ts', { dataDir: other, arguments: [file] })
  assert.deepEqual([refused.code, /sealed with another SECRET_KEY/.test(refused.output)], [1, true])
  const elsewhere = await runScript('restore.ts', { dataDir: other, arguments: [file, '--any-key'] })
  assert.match(elsewhere.output, /Before you start: SECRET_KEY is not the key .* secret\.key /)
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
