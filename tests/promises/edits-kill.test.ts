import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { connectSqlite } from '#src/db/connect.ts'
import type { EntrySnapshot } from '#src/entries/history/entry-snapshot.ts'
import { entrySubject } from '#src/entries/history/record-entry.ts'
import { listVersionContents } from '#src/versions/version-store.ts'
import { copyMigrated, temporaryFolder } from '../support/database.ts'
import type { Acknowledged } from '../support/edit-until-killed.ts'
import { waitFor } from '../support/running-site.ts'
import { printFigure, soakLength } from '../support/soak.ts'

const KILLS = soakLength(4, 50)
const MOST_ACKNOWLEDGED = 30
const MOST_DELAY_MS = 5
const SCRIPT = join(import.meta.dirname, '../support/edit-until-killed.ts')

test('saved texts, drafts, and deletions survive kill -9', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  await copyMigrated(path)
  const acknowledged: Acknowledged[] = []
  for (let kills = 0; kills < KILLS; kills += 1) {
    const child = fork(SCRIPT, [path])
    child.on('message', (one: Acknowledged) => acknowledged.push(one))
    const enough = acknowledged.length + 1 + Math.random() * MOST_ACKNOWLEDGED
    await waitFor(() => acknowledged.length >= enough, 60_000)
    await wait(Math.random() * MOST_DELAY_MS)
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  const db = connectSqlite(path)
  const lost: Acknowledged[] = []
  for (const [id, texts] of Map.groupBy(acknowledged, (one) => one.id)) {
    const versions = await listVersionContents(db, entrySubject(id), { limit: 100 })
    const titles = new Set(versions.map(({ content }) => (content as EntrySnapshot).title))
    lost.push(...texts.filter(({ title }) => !titles.has(title)))
  }
  await db.destroy()
  const file = new SqliteDatabase(path)
  t.after(() => file.close())
  const count = (sql: string) => file.prepare(sql).pluck().get()
  const homeless = acknowledged.filter(
    ({ id }) =>
      count(`select (select count(*) from content_entries where id = ${id})
        + (select count(*) from content_trash where subject_id = ${id})`) !== 1,
  )
  assert.deepEqual({ lost, homeless }, { lost: [], homeless: [] })
  assert.equal(file.pragma('integrity_check', { simple: true }), 'ok')
  assert.deepEqual(file.pragma('foreign_key_check'), [])
  printFigure(t, `0 of ${acknowledged.length} texts lost in ${KILLS} kills`)
})
