import assert from 'node:assert/strict'
import { existsSync, mkdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { findPreview } from '#src/publish/previews/preview-store.ts'
import type { StagedPreview } from '#src/publish/previews/stage-preview.ts'
import { createPreviewMaker } from '#src/server/background/preview-maker.ts'
import { openTestDatabase, temporaryFolder } from '#tests/support/database.ts'

const STAGED: StagedPreview = {
  ...{ releaseId: '20261124T100000000Z', changeId: 7, pagesHash: 'b'.repeat(64), pageCount: 1 },
  changes: [{ change: 'changed', path: '/about', key: 'entry:3' }],
  kinds: { other: 1 },
}
const WANTED = { madeBy: 'ann@example.com', only: undefined }
const PATIENCE_MS = 2_500
const TWO_HOURS_MS = 7_200_000

async function aMaker(t: TestContext, stage: (dataDir: string) => Promise<StagedPreview>) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const log = { error: (_: object, message: string) => assert.fail(message) }
  const now = () => new Date()
  const maker = createPreviewMaker({ db, log, place: { dataDir }, now, stage: () => stage(dataDir) })
  return { db, dataDir, maker }
}

test('the screen soon shows that a preview is being made', async (t) => {
  const staging = Promise.withResolvers<StagedPreview>()
  const { db, maker } = await aMaker(t, () => staging.promise)
  const made = await Promise.race([maker.make(WANTED), delay(PATIENCE_MS, undefined)])
  assert.ok(made)
  assert.equal((await findPreview(db, made.id))?.readyAt, null)
  staging.resolve(STAGED)
  await maker.stop()
  assert.notEqual((await findPreview(db, made.id))?.readyAt, null)
})

test('files of earlier previews are deleted once the new one is ready', async (t) => {
  let wasThere = false
  const earlier = (dataDir: string) => join(dataDir, 'previews', 'earlier')
  const { dataDir, maker } = await aMaker(t, async (folder) => {
    wasThere = existsSync(earlier(folder))
    return STAGED
  })
  mkdirSync(earlier(dataDir), { recursive: true })
  const past = new Date(Date.now() - TWO_HOURS_MS)
  utimesSync(earlier(dataDir), past, past)
  await maker.make(WANTED)
  await maker.stop()
  assert.deepEqual([wasThere, existsSync(earlier(dataDir))], [true, false])
})
