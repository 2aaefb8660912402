import assert from 'node:assert/strict'
import { existsSync, mkdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { UnpublishedChange } from '#src/publish/pending/pending-changes.ts'
import { findPreview, type Preview } from '#src/publish/previews/preview-store.ts'
import type { PreviewRequest, StagedPreview } from '#src/publish/previews/stage-preview.ts'
import { createPreviewMaker } from '#src/server/background/preview-maker.ts'
import { openTestDatabase, temporaryFolder } from '#tests/support/database.ts'
import { goLive } from '#tests/support/live-release.ts'
import { waitFor } from '#tests/support/running-site.ts'

const STAGED: StagedPreview = {
  ...{ releaseId: '20261124T100000000Z', changeId: 7, pagesHash: 'b'.repeat(64), pageCount: 1 },
  changes: [{ change: 'changed', path: '/about', key: 'entry:3' }],
  kinds: { other: 1 },
}
const WANTED = { madeBy: 'ann@example.com', only: undefined }
const PATIENCE_MS = 2_500
const TWO_HOURS_MS = 7_200_000

async function aMaker(
  t: TestContext,
  stage: (dataDir: string, request: PreviewRequest) => Promise<StagedPreview>,
) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const log = { error: (_: object, message: string) => assert.fail(message) }
  const now = () => new Date()
  const maker = createPreviewMaker({
    db,
    log,
    place: { dataDir },
    now,
    stage: (request) => stage(dataDir, request),
  })
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

/** Previews of one saved change each, made before a newer release went live. */
async function previewsBehind(t: TestContext, pageCounts: readonly number[]) {
  const requests: string[] = []
  let staging: Promise<unknown> = Promise.resolve()
  let staged = STAGED
  const { db, dataDir, maker } = await aMaker(t, async (_, request) => {
    requests.push(request.key)
    await staging
    return staged
  })
  await goLive(dataDir, { id: STAGED.releaseId })
  const change = { subject: 'entry' as const, subjectId: '3', changeId: 7 }
  const changes = [change] as UnpublishedChange[]
  for (const pageCount of pageCounts) {
    staged = { ...STAGED, pageCount }
    await maker.make({ ...WANTED, only: [change] })
  }
  requests.splice(0)
  const find = async () => {
    const rows = await db.selectFrom('publish_previews').select('id').orderBy('id').execute()
    return Promise.all(rows.map(async ({ id }) => (await findPreview(db, id)) as Preview))
  }
  const publish = async (id: string, values: Partial<StagedPreview> = {}) => {
    await goLive(dataDir, { id })
    staged = { ...STAGED, ...values, releaseId: id }
  }
  const refresh = async (options = {}) => {
    const shown = await maker.refresh(await find(), { changes, ...options })
    return shown.map(({ releaseId }) => releaseId)
  }
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    staging = promise
    return resolve
  }
  return { maker, requests, find, publish, refresh, hold }
}

const NEXT = '20261124T110000000Z'
const LAST = '20261124T120000000Z'

test('pages of previews are made again once for each release', async (t) => {
  const { maker, requests, find, publish, refresh } = await previewsBehind(t, [1, 501])
  const former = STAGED.releaseId
  assert.deepEqual(await refresh(), [former, former])
  assert.equal(requests.length, 0)
  await publish(NEXT)
  assert.deepEqual(await refresh({ changes: [] }), [former, former], 'its change is no longer unpublished')
  assert.deepEqual(await refresh({ isSmall: true }), [NEXT, former])
  assert.deepEqual(await refresh(), [NEXT, NEXT])
  const [small, large] = await find()
  assert.deepEqual(requests, [small?.tokenSha256, large?.tokenSha256])
  assert.equal(maker.isRefreshing(small?.id ?? 0), false)
  await refresh()
  assert.equal(requests.length, 2)
})

test('pages that show nothing different any more are tried once for each release', async (t) => {
  const { requests, publish, refresh } = await previewsBehind(t, [500])
  const former = STAGED.releaseId
  await publish(NEXT, { pageCount: 0 })
  for (let time = 0; time < 2; time += 1) assert.deepEqual(await refresh({ isSmall: true }), [former])
  assert.equal(requests.length, 1)
  await publish(LAST)
  assert.deepEqual(await refresh({ isSmall: true }), [LAST])
})

test('a reader waits a moment for pages that are made again, two readers for the same', async (t) => {
  const { maker, requests, find, publish, refresh, hold } = await previewsBehind(t, [1, 1])
  const [first, second] = (await find()) as [Preview, Preview]
  await publish(NEXT)
  const release = hold()
  const begun = performance.now()
  assert.deepEqual(await refresh(), [STAGED.releaseId, STAGED.releaseId])
  assert.ok(performance.now() - begun > 900)
  assert.deepEqual([maker.isRefreshing(first.id), maker.isRefreshing(second.id)], [true, true])
  assert.deepEqual(await refresh(), [STAGED.releaseId, STAGED.releaseId], 'at once')
  assert.deepEqual(requests, [first.tokenSha256], 'one after the other')
  release()
  await waitFor(async () => !maker.isRefreshing(second.id))
  assert.deepEqual(requests, [first.tokenSha256, second.tokenSha256])
  assert.equal(maker.isRefreshing(first.id), false)
  assert.deepEqual(await refresh(), [NEXT, NEXT])
})
