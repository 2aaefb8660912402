import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connectSqlite } from '#src/db/connect.ts'
import { emptyTrash } from '#src/entries/trash/empty-trash.ts'
import { openFileStore } from '#src/files/open-file-store.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { type PictureSnapshot, pictureSubject } from '#src/pictures/picture-history.ts'
import { findPictureById, listHashes } from '#src/pictures/picture-store.ts'
import { findMissingFiles, sweepPictures } from '#src/pictures/sweep-pictures.ts'
import type { PictureRows } from '#src/pictures/trashed-picture-store.ts'
import { ensureBundle } from '#src/publish/render/bundle.ts'
import { temporaryUploads } from '#src/submissions/uploads/upload-folder.ts'
import { sweepUploads } from '#src/submissions/uploads/upload-sweep.ts'
import { listTrashedContents } from '#src/versions/trash-store.ts'
import { listVersionContents } from '#src/versions/version-store.ts'
import { copyMigrated, temporaryFolder } from '../support/database.ts'
import type { StoredPicture } from '../support/replace-until-killed.ts'
import { PROJECT_DIR, waitFor } from '../support/running-site.ts'
import { isSoak, printFigure, soakLength } from '../support/soak.ts'

const KILLS = soakLength(3, 100)
// A server takes a second to start, so that short runs have none.
const WAYS = isSoak ? (['direct', 'http'] as const) : (['direct'] as const)
/** A post takes longer than a call. */
const MOST_DELAY_MS = { direct: 20, http: 150 }
const MOST_ACKNOWLEDGED = 12
const ONE_DAY_MS = 24 * 60 * 60 * 1_000
const ONE_DAY_LATER_MS = 25 * 60 * 60 * 1_000
const SCRIPT = join(import.meta.dirname, '../support/replace-until-killed.ts')

test('picture uploads, replacements, and deletions survive kill -9 and leave no orphaned files', async (t) => {
  const dataDir = temporaryFolder(t)
  const path = join(dataDir, 'signpost.db')
  await copyMigrated(path)
  if (isSoak) await ensureBundle(PROJECT_DIR)
  const acknowledged: StoredPicture[] = []
  for (let kills = 0; kills < KILLS; kills += 1) {
    const way = WAYS[kills % WAYS.length] ?? 'direct'
    const child = fork(SCRIPT, [path, dataDir, temporaryFolder(t), way])
    child.on('message', (one: StoredPicture) => acknowledged.push(one))
    const enough = acknowledged.length + 1 + Math.random() * MOST_ACKNOWLEDGED
    await waitFor(() => acknowledged.length >= enough || child.exitCode !== null, 120_000)
    assert.equal(child.exitCode, null, 'a change failed')
    await wait(Math.random() * MOST_DELAY_MS[way])
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  const db = connectSqlite(path)
  t.after(() => db.destroy())
  const files = openPictureFiles(dataDir)
  const lost: StoredPicture[] = []
  const trashed = (await listTrashedContents(db, 'picture')).map(({ content }) => content as PictureRows)
  const trashedIds = new Set(trashed.map(({ picture }) => picture.id))
  for (const [id, stored] of Map.groupBy(acknowledged, (one) => one.id)) {
    const versions = await listVersionContents(db, pictureSubject(id), { limit: 100 })
    const known = versions.map(({ content }) => (content as PictureSnapshot).sha256)
    const isSomewhere = trashedIds.has(id) || (await findPictureById(db, id)) !== undefined
    lost.push(...stored.filter(({ sha256 }) => !isSomewhere || !known.includes(sha256)))
  }
  assert.deepEqual(lost, [])
  assert.deepEqual(await findMissingFiles(db, files), [])

  await sweepPictures(db, { files, now: new Date(Date.now() + ONE_DAY_LATER_MS) })
  const hashes = await listHashes(db)
  const kept = (await files.list()).map(({ file }) => file).sort()
  assert.deepEqual(kept, hashes.toSorted(), 'no file is an orphan')
  for (const sha256 of hashes) assert.equal(hash('sha256', (await files.read(sha256)) ?? ''), sha256)
  const names = readdirSync(join(dataDir, 'pictures'), { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    names.filter((name) => name.endsWith('.tmp')),
    [],
  )
  const received = openFileStore({ kind: 'disk', folder: dataDir }, { dataDir })
  await sweepUploads(db, { files: received, now: new Date(Date.now() + ONE_DAY_LATER_MS) })
  const temporary = temporaryUploads(received)
  assert.deepEqual(existsSync(temporary) ? readdirSync(temporary) : [], [], 'no post is left on disk')
  // What has left the trash is gone from the disk, and nothing else is.
  await emptyTrash(db, { now: new Date(Date.now() + 31 * ONE_DAY_MS) })
  await sweepPictures(db, { files, now: new Date(Date.now() + ONE_DAY_LATER_MS) })
  const left = (await files.list()).map(({ file }) => file).sort()
  assert.deepEqual(left, (await listHashes(db)).toSorted())
  assert.ok(trashed.length === 0 || left.length < kept.length, 'files of deleted pictures go')
  const counts = `${trashed.length} of them in the trash`
  printFigure(t, `0 of ${acknowledged.length} pictures lost in ${KILLS} kills, ${counts}, 0 orphans`)
})
