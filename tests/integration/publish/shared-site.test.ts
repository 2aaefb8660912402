import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDiskFiles } from '#src/files/disk-files.ts'
import type { FileStore } from '#src/files/file-store.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { readNewest } from '#src/publish/ledger/newest-release.ts'
import { previewFolder, previewPlace, removePreview } from '#src/publish/previews/preview-folder.ts'
import { stagePreview } from '#src/publish/previews/stage-preview.ts'
import { checkSite, publishUnlessHeldBack } from '#src/publish/publish-site.ts'
import { listPublishes } from '#src/publish/publish-store.ts'
import { withReleases, withYieldingTurn } from '#src/publish/publish-turn.ts'
import { findCurrentRelease, releaseAt } from '#src/publish/release/release.ts'
import { isHeldBack, rollBack } from '#src/publish/release/roll-back.ts'
import { takeFolder } from '#src/publish/shared/folder-pack.ts'
import {
  forgetSharedReleases,
  listSharedReleases,
  readSharedState,
} from '#src/publish/shared/shared-release-store.ts'
import type { SitePlace } from '#src/publish/shared/shared-site.ts'
import { temporaryFolder } from '#tests/support/database.ts'
import { aPublishedSite } from '#tests/support/publishing.ts'
import { PROJECT_DIR, waitFor } from '#tests/support/running-site.ts'
import { addEntry } from '#tests/support/small-site.ts'

/** Servers of one site, in this process: a database, a store, and a folder for each. */
async function servers(t: TestContext) {
  const site = await aPublishedSite(t)
  const files = openDiskFiles(temporaryFolder(t))
  const server = (dataDir: string) => ({ dataDir, shared: { files, server: dataDir, owner: dataDir } })
  const publish = (place: SitePlace, options = {}) => site.publish({ ...place, ...options })
  const follow = (place: SitePlace) => withReleases(site.db, place, async () => undefined)
  return { ...site, files, publish, follow, a: server(site.dataDir), b: server(temporaryFolder(t)), server }
}

/** The files that a server shows, and what its ledger knows of them. */
function shown({ dataDir }: SitePlace) {
  const release = findCurrentRelease(dataDir)
  assert.ok(release)
  const files = readdirSync(release.dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [file.slice(release.dir.length), readFileSync(file, 'base64')])
  const live = readFileSync(join(dataDir, 'live-content', `${release.id}.jsonl`), 'utf8')
  return { id: release.id, files, ledger: readNewest(dataDir), live }
}

test('a release published by one server is identical on the others and can be built upon', async (t) => {
  const { a, b, publish, follow, setTitle } = await servers(t)
  await publish(a)
  await follow(b)
  assert.deepEqual(shown(b), shown(a))
  // Longer than the folders that take turns.
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven']) {
    await setTitle(title)
    await publish(a)
    await follow(b)
    assert.deepEqual(shown(b), shown(a))
  }
})

test('a page that one server removes is gone on the others, whatever folder they reuse', async (t) => {
  const { db, a, b, publish, follow, setTitle } = await servers(t)
  await addEntry(db, 'pages', { slug: 'about', title: 'About', redirectFrom: ['/company'] })
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven']) {
    await setTitle(title)
    await publish(a)
    await follow(b)
  }
  await db.deleteFrom('content_entries').where('slug', '=', 'about').execute()
  assert.equal((await publish(a)).plan.removed, 1)
  await follow(b)
  assert.deepEqual(shown(b), shown(a))
  await setTitle('Eight')
  await publish(b)
  await follow(a)
  assert.deepEqual(shown(a), shown(b))
})

test('any server can publish on top of another server’s release', async (t) => {
  const { a, b, publish, follow, setTitle } = await servers(t)
  await publish(a)
  await setTitle('By B')
  const outcome = await publish(b)
  assert.equal(outcome.plan.changed, 1)
  assert.equal(outcome.scope, 'changes')
  await follow(a)
  assert.deepEqual(shown(a), shown(b))
  assert.equal((await publish(a)).kind, 'unchanged')
})

test('a rollback on one server applies to all, and so does the next publish', async (t) => {
  const { db, a, b, publish, follow, setTitle, now } = await servers(t)
  const first = await publish(a)
  await follow(b)
  await setTitle('Wrong')
  await publish(a)
  const outcome = await rollBack(db, { ...b, starter: { startedBy: 'command' }, now: now() })
  assert.equal(outcome.kind, 'rolled_back')
  await follow(a)
  assert.equal(findCurrentRelease(a.dataDir)?.id, first.release.id)
  assert.deepEqual([await isHeldBack(db, a), await isHeldBack(db, b)], [true, true])
  await setTitle('Right')
  await publish(a)
  await follow(b)
  assert.deepEqual(shown(b), shown(a))
  assert.equal(await isHeldBack(db, b), false)
})

test('a publish that waits while another server rolls back fails, and the next one is published', async (t) => {
  const { db, a, b, publish, follow, setTitle, now } = await servers(t)
  const first = await publish(a)
  await setTitle('Wrong')
  await publish(a)
  await follow(b)
  // The rollback fetches it, which takes time.
  rmSync(releaseAt(b.dataDir, first.release.id).dir, { recursive: true })
  let waiting: Promise<unknown> = Promise.resolve()
  const asking: FileStore = {
    ...b.shared.files,
    async open(key) {
      waiting = assert.rejects(publish(a), /Someone rolled back the site before this publish began/)
      await waitFor(
        async () => (await db.selectFrom('shared_site').selectAll().execute())[0]?.wanted_at != null,
      )
      return b.shared.files.open(key)
    },
  }
  const starter = { startedBy: 'command' } as const
  const place = { ...b, shared: { ...b.shared, files: asking } }
  assert.equal((await rollBack(db, { ...place, starter, now: now() })).kind, 'rolled_back')
  await waiting
  assert.equal((await readSharedState(db)).liveId, first.release.id)
  assert.equal(await isHeldBack(db, a), true)
  assert.equal((await listPublishes(db, { limit: 1 }))[0]?.status, 'failed')
  await publish(a)
  await follow(b)
  assert.deepEqual(shown(b), shown(a))
})

test('a rolled-back site that was restored without its releases is published at the next start', async (t) => {
  const { db, a, b, publish, setTitle, now } = await servers(t)
  const start = (place: SitePlace) =>
    publishUnlessHeldBack(db, {
      ...{ projectDir: PROJECT_DIR, siteUrl: 'https://example.com', now, progress: silentProgress },
      ...{ ...place, starter: { startedBy: 'start' } },
    })
  await publish(a)
  await setTitle('Wrong')
  await publish(a)
  await rollBack(db, { ...a, starter: { startedBy: 'command' }, now: now() })
  assert.equal(await start(b), undefined)
  await forgetSharedReleases(db)
  const outcome = await start({ ...b, dataDir: temporaryFolder(t) })
  assert.equal(outcome?.kind, 'published')
  assert.equal((await readSharedState(db)).liveId, outcome.release.id)
})

test('a full publish on any server stores a release again that the store lost', async (t) => {
  const { a, b, files, publish, follow, setTitle, server } = await servers(t)
  await publish(a)
  await setTitle('Changed')
  await publish(a)
  await files.remove('releases')
  await assert.rejects(follow(b), /is missing from the file store\. Publish with --full/)
  await assert.rejects(publish(b), /is missing from the file store/)
  await publish(a, { full: true })
  await follow(b)
  assert.deepEqual(shown(b), shown(a))

  await files.remove('releases')
  const empty = server(temporaryFolder(t))
  await publish(empty, { full: true })
  await follow(a)
  assert.deepEqual(shown(a), shown(empty))
})

test('a server joins with few requests, regardless of the number of publishes', async (t) => {
  const { db, a, files, publish, follow, setTitle, server } = await servers(t)
  await publish(a)
  for (let edit = 0; edit < 15; edit++) {
    await setTitle(`Edit ${edit}`)
    await publish(a)
  }
  const asked: string[] = []
  const open = (key: string) => {
    asked.push(key)
    return files.open(key)
  }
  const joining = server(temporaryFolder(t))
  await follow({ ...joining, shared: { ...joining.shared, files: { ...files, open } } })
  assert.deepEqual(shown(joining), shown(a))
  assert.ok(asked.length < 12, `${asked.length} requests`)
  const kept = new Set((await listSharedReleases(db)).map(({ id }) => id))
  for await (const { key } of files.list('releases')) assert.ok(kept.has(key.split('/')[1] ?? ''), key)
})

test('a publish that can’t reach the store, or lost its lease, changes nothing for visitors', async (t) => {
  const { db, a, b, publish, follow, setTitle } = await servers(t)
  await publish(a)
  await follow(b)
  const before = readlinkSync(join(a.dataDir, 'current'))
  await setTitle('Never')
  const failing = { ...a.shared.files, write: () => Promise.reject(new Error('The store is gone')) }
  await assert.rejects(publish({ ...a, shared: { ...a.shared, files: failing } }), /store is gone/)
  const stealing: FileStore = {
    ...a.shared.files,
    async write(key, bytes) {
      await a.shared.files.write(key, bytes)
      await db.updateTable('shared_site').set({ owner: 'another' }).execute()
    },
  }
  await assert.rejects(publish({ ...a, shared: { ...a.shared, files: stealing } }), /took over/)
  await db.updateTable('shared_site').set({ owner: null }).execute()
  await follow(b)
  assert.equal(readlinkSync(join(a.dataDir, 'current')), before)
  assert.equal(readlinkSync(join(b.dataDir, 'current')), before)
  await publish(a)
  await follow(b)
  assert.deepEqual(shown(b), shown(a))
})

test('a check repairs the pages of its own server, and yields to a publish on another one', async (t) => {
  const { db, a, b, publish, follow, setTitle, now } = await servers(t)
  await publish(a)
  await follow(b)
  const page = join(String(findCurrentRelease(b.dataDir)?.siteDir), 'services/ac-repair/austin.html')
  const html = readFileSync(page, 'utf8')
  writeFileSync(page, `X${html.slice(1)}`)
  const site = { projectDir: PROJECT_DIR, siteUrl: 'https://example.com', now, progress: silentProgress }
  assert.equal((await checkSite(db, { ...site, ...b }))?.damaged, 1)
  await follow(a)
  assert.deepEqual(shown(a), shown(b))
  assert.ok(shown(b).files.some(([, bytes]) => bytes === Buffer.from(html).toString('base64')))
  const yielding = withYieldingTurn(db, b, () => new Promise(() => {}))
  await waitFor(async () => (await readSharedState(db)).publisher !== undefined)
  await setTitle('By A')
  assert.equal((await publish(a)).kind, 'published')
  assert.equal(await yielding, undefined)
})

test('a check of a whole site finds nothing, whatever was saved or published alone since', async (t) => {
  const { db, a, b, publish, follow, setTitle, places, now } = await servers(t)
  const site = { projectDir: PROJECT_DIR, siteUrl: 'https://example.com', now, progress: silentProgress }
  const check = (place: SitePlace) => checkSite(db, { ...site, ...place })
  const nothing = { damaged: 0, outdated: 0, hasDamagedFiles: false }
  const { release } = await publish(a)
  await follow(b)
  await setTitle('Unpublished')
  const place = { subject: 'term' as const, subjectId: String(places.get('dallas')) }
  await db.updateTable('taxonomy_terms').set({ name: 'Dallas, Texas' }).where('slug', '=', 'dallas').execute()
  for (const one of [b, a]) assert.deepEqual(await check(one), nothing)
  assert.equal(findCurrentRelease(b.dataDir)?.id, release.id)
  const alone = await publish(a, { starter: { startedBy: 'admin', only: [place] } })
  for (const one of [b, a]) assert.deepEqual(await check(one), nothing)
  assert.equal(findCurrentRelease(b.dataDir)?.id, alone.release.id)
})

test('an existing single-server site is shared unchanged', async (t) => {
  const { a, b, publish, follow } = await servers(t)
  await publish({ dataDir: a.dataDir })
  assert.equal((await publish(a)).kind, 'unchanged')
  await follow(b)
  assert.deepEqual(shown(b), shown(a))
})

test('pictures and previews stored by one server are available on the others', async (t) => {
  const { db, a, b, publish, setTitle, now } = await servers(t)
  const [onA, onB] = [a, b].map(({ dataDir, shared }) => openPictureFiles(dataDir, shared.files))
  assert.ok(onA && onB)
  const bytes = Buffer.from('a picture')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  assert.deepEqual([await onB.has(sha256), await onB.read(sha256)], [false, undefined])
  await onA.write(sha256, bytes)
  assert.deepEqual([await onB.has(sha256), await onB.read(sha256)], [true, bytes])
  await onB.remove(sha256)
  assert.deepEqual([await onA.has(sha256), await onA.list()].flat().length, 2)
  await publish(a)
  await setTitle('Next')
  const site = { projectDir: PROJECT_DIR, siteUrl: 'https://example.com', now }
  const { changes, releaseId } = await stagePreview(db, { ...site, ...a, key: 'link' })
  assert.equal(changes.length, 1)
  const files = { key: 'link', releaseId }
  const folder = (place: SitePlace) => previewFolder(place.dataDir, files)
  assert.equal(await takeFolder(b.shared.files, previewPlace(files), folder(b)), true)
  assert.deepEqual(readdirSync(folder(b), { recursive: true }), readdirSync(folder(a), { recursive: true }))
  await removePreview(a, 'link')
  assert.equal(await takeFolder(b.shared.files, previewPlace(files), `${folder(b)}-2`), false)
})
