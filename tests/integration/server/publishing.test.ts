import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { previewFolder } from '#src/publish/previews/preview-folder.ts'
import { listPublishes } from '#src/publish/publish-store.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { createOutlets } from '#src/server/background/outlets.ts'
import { openPublishing } from '#src/server/background/publishing.ts'
import { runScript } from '#src/server/background/script-process.ts'
import { atEnd } from '../../support/at-end.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { goLive } from '../../support/live-release.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const [OLD, LIVE] = ['20261118T100000000Z', '20261119T100000000Z']

async function aServer(t: TestContext) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const logged: string[] = []
  const log = { error: (_: object, message: string) => logged.push(message) }
  const config = readConfig({ DATA_DIR: dataDir, CONTENT_DIR: join(dataDir, 'content'), PORT: '1' })
  const projectDir = join(dataDir, 'no-project')
  const publishing = openPublishing(config, { db, promptDb: db, projectDir, now: () => NOW, log })
  atEnd(t, () => publishing.stop())
  return { db, dataDir, config, log, logged, publishing }
}

test('a single server shows its own releases, and rolls back to an earlier one', async (t) => {
  const { db, dataDir, publishing } = await aServer(t)
  await publishing.join()
  assert.deepEqual(
    [publishing.hasJoined(), publishing.settle, publishing.publisherName(), publishing.place],
    [true, undefined, undefined, { dataDir, shared: undefined }],
  )
  assert.deepEqual([publishing.isRunning(), publishing.progress()], [false, undefined])
  assert.equal(publishing.planner.hasUnpublished(), false)
  const starter = { startedBy: 'command' as const }
  assert.deepEqual(await publishing.rollBack({ to: OLD, starter }), { kind: 'no_release' })
  for (const id of [OLD, LIVE]) await goLive(dataDir, { id })
  assert.equal((await publishing.rollBack({ to: LIVE, starter })).kind, 'current')
  assert.equal((await publishing.rollBack({ to: OLD, starter })).kind, 'rolled_back')
  assert.equal(findCurrentRelease(dataDir)?.id, OLD)
  const [recorded] = await listPublishes(db, { limit: 1 })
  assert.deepEqual([recorded?.status, recorded?.startedAt], ['rolled_back', NOW.toISOString()])
  assert.equal(publishing.planner.hasUnpublished(), true, 'there is something to publish again')
  const files = { key: 'key', releaseId: LIVE }
  await publishing.bringPreview(files)
  mkdirSync(previewFolder(dataDir, files), { recursive: true })
  await publishing.bringPreview(files)
})

test('copies elsewhere are made only if there are any', async (t) => {
  const { db, dataDir, config, log } = await aServer(t)
  const options = { db, files: openDiskFiles(dataDir), now: () => NOW, log }
  assert.equal(createOutlets({ ...options, config }), undefined)
  const telling = readConfig({ DATA_DIR: dataDir, SITE_URL: 'https://www.example.com', INDEXNOW: 'yes' })
  const outlets = createOutlets({ ...options, config: telling })
  assert.ok(outlets)
  outlets.start()
  await outlets.stop()
})

test('a command that fails tells why, and one that is aborted ends', async (t) => {
  const environment = { DATA_DIR: temporaryFolder(t), DATABASE_URL: 'nothing:', LOG_LEVEL: 'silent' }
  const { signal } = new AbortController()
  await assert.rejects(runScript('vacuum', { environment }, signal), (error: Error) => {
    assert.match(error.message, /DATABASE_URL/)
    return error.message === error.message.trim()
  })
  await assert.rejects(runScript('vacuum', { environment }, AbortSignal.abort()), { name: 'AbortError' })
})
