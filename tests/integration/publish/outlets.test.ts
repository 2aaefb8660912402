import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { connectSqlite } from '#src/db/connect.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { ledgerFile } from '#src/publish/ledger/ledger-store.ts'
import { openManifest } from '#src/publish/outlets/manifest.ts'
import { countAddresses, findOutlet } from '#src/publish/outlets/outlet-store.ts'
import { openTargets } from '#src/publish/outlets/outlet-targets.ts'
import { planOutlets } from '#src/publish/outlets/plan-outlets.ts'
import { type RunOptions, runOutlets } from '#src/publish/outlets/run-outlets.ts'
import { publishSite } from '#src/publish/publish-site.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { rollBack } from '#src/publish/release/roll-back.ts'
import { setLiveRelease, takeLease } from '#src/publish/shared/shared-release-store.ts'
import { atEnd } from '../../support/at-end.ts'
import { copyMigrated, temporaryFolder } from '../../support/database.ts'
import { keepPictures, lendPictures } from '../../support/drawn-pictures.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'
import { startS3 } from '../../support/s3-server.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const SITE = 'https://www.example.com'

/** A service on loopback that keeps the posts it gets, and answers with a status. */
async function startService(t: TestContext) {
  const posts: { url: string; authorization: string | undefined; body: string }[] = []
  const state = { status: 200, posts }
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString()
    posts.push({ url: request.url ?? '', authorization: request.headers.authorization, body })
    response.writeHead(state.status).end('no')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, () => {
    server.closeAllConnections()
    server.close()
  })
  return { ...state, state, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** A published site with one service in two places, a bucket for it, and services that are told of changes. */
async function startSite(t: TestContext) {
  const [s3, service] = [await startS3(t), await startService(t)]
  const dataDir = temporaryFolder(t)
  const { FILE_STORE: bucket = '', ...keys } = s3.environment
  const config = readConfig({
    ...{ DATA_DIR: dataDir, SITE_URL: SITE, PUBLISH_TO: bucket, ...keys },
    ...{ PURGE: `${service.origin}/purge`, PURGE_TOKEN: 'secret', INDEXNOW: 'yes' },
    WEBHOOK_ALLOW: '127.0.0.0/8',
  })
  const file = join(dataDir, 'signpost.db')
  await copyMigrated(file)
  const db = connectSqlite(file)
  atEnd(t, () => db.destroy())
  const places = await addPlaces(db, 'usa/texas/austin', 'usa/texas/dallas')
  const id = await addEntry(db, 'services', { slug: 'ac-repair', title: 'AC repair' })
  for (const slug of ['austin', 'dallas'])
    await offer(db, { slug: 'ac-repair', id }, { slug, id: places.get(slug) as number })
  const now = () => new Date()
  const publish = async () => {
    lendPictures(dataDir)
    await publishSite(db, {
      ...{ projectDir: PROJECT_DIR, dataDir, siteUrl: SITE, now, progress: silentProgress },
    })
    keepPictures(dataDir)
  }
  await publish()
  const origins = { cloudflare: '', cloudfront: '', fastly: '', indexNow: service.origin }
  const targets = openTargets(config, { files: openDiskFiles(dataDir), origins })
  assert.ok(targets)
  const run = (options: Partial<RunOptions> = {}) => runOutlets({ db, dataDir, targets }, { now, ...options })
  const shared = { files: targets.files, server: 'second', owner: 'second process' }
  const runShared = (options: Partial<RunOptions> = {}) =>
    runOutlets({ db, dataDir, targets, shared }, { now, ...options })
  const keysOf = () => [...s3.objects.keys()].map((key) => key.replace('one/site/', '')).sort()
  const object = (key: string) => s3.objects.get(`one/site/${key}`)
  return { db, dataDir, s3, service, targets, publish, run, shared, runShared, keysOf, object, id }
}

test('a publish uploads clean addresses to the bucket and uploads, purges, and announces only changes', async (t) => {
  const { db, dataDir, s3, service, targets, publish, run, keysOf, object, id } = await startSite(t)
  const first = await run()
  assert.equal(first.kind, 'done')
  const page = object('services/ac-repair/austin')
  assert.equal(page?.headers?.['content-type'], 'text/html; charset=utf-8')
  assert.equal(page?.headers?.['cache-control'], 'public, max-age=0, must-revalidate')
  const keys = keysOf()
  for (const key of ['index.html', '404.html', 'services', 'sitemap.xml'])
    assert.ok(keys.includes(key) || key === 'sitemap.xml', key)
  const [asset = ''] = keys.filter((key) => /^_astro\/.*\.css$/.test(key))
  assert.equal(object(asset)?.headers?.['cache-control'], 'public, max-age=31536000, immutable')
  const puts = s3.requests.map((line) => decodeURIComponent(line))
  const at = (key: string) => puts.indexOf(`PUT /files/one/site/${key}`)
  assert.ok(at(asset) < at('services') && at('services') < at('robots.txt'), 'assets, pages, lists')
  assert.equal(service.posts.length, 0, 'nothing was there before')
  const [keyFile = ''] = keys.filter((key) => /^[0-9a-f]{32}\.txt$/.test(key))
  assert.equal(`${object(keyFile)?.bytes}.txt`, keyFile)

  s3.requests.length = 0
  assert.equal((await run()).kind, 'idle')
  assert.equal(s3.requests.length, 0)

  await db.updateTable('content_entries').set({ title: 'Cooling repair' }).where('id', '=', id).execute()
  await publish()
  const { written, removed } = await planOutlets({ dataDir, targets }, { isRepair: false })
  assert.ok(written.includes('services/ac-repair'))
  assert.equal(s3.requests.length, 0, 'a plan asks nothing')
  assert.equal((await run()).kind, 'done')
  assert.equal(s3.requests.filter((line) => line.startsWith('PUT')).length, written.length)
  const [purged, told] = service.posts
  const { urls } = JSON.parse(purged?.body ?? '{}')
  assert.deepEqual([purged?.url, purged?.authorization], ['/purge', 'Bearer secret'])
  const expected = [...written, ...removed].map((key) => `${SITE}/${key === 'index.html' ? '' : key}`)
  assert.deepEqual(urls.toSorted(), expected.toSorted())
  const announced = JSON.parse(told?.body ?? '{}')
  assert.equal(announced.keyLocation, `${SITE}/${keyFile}`)
  assert.ok(announced.urlList.includes(`${SITE}/services/ac-repair`))
  assert.ok(!announced.urlList.some((url: string) => /\.(?:xml|txt|css)$/.test(url)))
  assert.equal(service.posts.length, 2)
  assert.equal(await countAddresses(db, 'purge'), 0)

  const back = await rollBack(db, { dataDir, starter: { startedBy: 'command' }, now: new Date() })
  assert.equal(back.kind, 'rolled_back')
  assert.equal((await run()).kind, 'done')
  assert.match(String(object('services/ac-repair')?.bytes), /AC repair/)
})

test('a failed upload is stored, retried, and resumed, and the site stays live', async (t) => {
  const { db, s3, service, publish, run, keysOf, id } = await startSite(t)
  s3.failWith(403)
  await run()
  const failed = await findOutlet(db, 'upload')
  assert.deepEqual([failed?.status, failed?.failures], ['failed', 1])
  assert.match(failed?.failureMessage ?? '', /rejected a request \(InternalError\)\. Check PUBLISH_TO and/)
  s3.failWith(undefined)
  s3.requests.length = 0
  await run()
  assert.equal(s3.requests.length, 0, 'not yet')
  await assert.rejects(
    run({
      isForced: true,
      onStep: (done) => {
        if (done === 5) throw new Error('killed')
      },
    }),
    /killed/,
  )
  const before = keysOf().length
  s3.requests.length = 0
  await run({ isForced: true })
  assert.ok(before >= 5 && s3.requests.length < keysOf().length + before)
  assert.equal((await findOutlet(db, 'upload'))?.status, 'done')

  await db.updateTable('content_entries').set({ title: 'Cooling repair' }).where('id', '=', id).execute()
  await publish()
  service.state.status = 500
  await run()
  const waiting = await countAddresses(db, 'purge')
  assert.ok(waiting > 0)
  assert.match((await findOutlet(db, 'purge'))?.failureMessage ?? '', /returned 500: no\. Check PURGE/)
  service.state.status = 200
  const { told } = await run({ now: () => new Date(Date.now() + 31_000) })
  assert.equal(told.purge, waiting)
})

test('an upload that goes on after a failure also purges what was uploaded before it', async (t) => {
  const { service, targets, run } = await startSite(t)
  await run()
  const manifest = openManifest(targets.files, targets.place)
  const known = new Map(await manifest.read())
  const old = Array.from({ length: 250 }, (_, page) => `old/${page}`)
  for (const key of old) known.set(key, 'x')
  await manifest.write(known)
  const onStep = (done: number) => assert.notEqual(done, 230, 'killed')
  await assert.rejects(run({ isForced: true, allowRemovals: true, onStep }), /killed/)
  const { removed } = await run({ isForced: true, allowRemovals: true })
  assert.ok(removed < 100)
  const purged = service.posts
    .filter(({ url }) => url === '/purge')
    .flatMap(({ body }): string[] => JSON.parse(body).urls)
  assert.deepEqual(purged.sort(), old.map((key) => `${SITE}/${key}`).sort())
})

test('many removals need confirmation, and a repair restores missing files and keeps foreign ones', async (t) => {
  const { s3, targets, run, object, keysOf } = await startSite(t)
  await run()
  const stored = s3.objects.get('one/site/services')
  assert.ok(stored)
  s3.objects.set('one/site/robots.txt', { ...stored, bytes: Buffer.from('damaged') })
  s3.objects.delete('one/site/services')
  s3.objects.set('one/site/of-others', stored)
  s3.requests.length = 0
  const { written, others } = await run({ isForced: true, isRepair: true })
  assert.deepEqual([written, others], [2, 1])
  assert.ok(keysOf().includes('of-others') && object('services'))
  assert.match(String(object('robots.txt')?.bytes), /Sitemap/i)

  const manifest = openManifest(targets.files, targets.place)
  const known = new Map(await manifest.read())
  for (let page = 0; page < 200; page += 1) known.set(`old/${page}`, 'x')
  await manifest.write(known)
  await assert.rejects(run({ isForced: true }), /would remove 200 of \d+ files\. If this is intended/)
  assert.equal((await run({ isForced: true, allowRemovals: true })).removed, 200)
})

test('any server of a shared site uploads the live release, one at a time, with or without the ledger', async (t) => {
  const { db, dataDir, s3, targets, run, shared, runShared, keysOf } = await startSite(t)
  await db.updateTable('publishes').set({ machine: 'first' }).execute()
  assert.equal((await run()).kind, 'idle', 'another machine published')
  await takeLease(db, shared)
  await setLiveRelease(db, shared.owner, 'a release that is still to come')
  assert.equal((await runShared()).kind, 'idle', 'the first server may have it already')
  assert.equal(keysOf().length, 0)

  await setLiveRelease(db, shared.owner, findCurrentRelease(dataDir)?.id ?? '')
  let time = Date.now()
  const now = () => {
    time += 3_000
    return new Date(time)
  }
  const claimed = { claimed_by: 'first', claimed_until: new Date(time + 50_000).toISOString() }
  const onStep = (done: number) => {
    if (done === 3) isTaken ??= db.updateTable('publish_outlets').set(claimed).execute()
  }
  let isTaken: Promise<unknown> | undefined
  assert.equal((await runShared({ now, onStep })).kind, 'busy', 'the first server took over')
  await isTaken
  assert.equal((await findOutlet(db, 'upload'))?.status, 'running', 'which is no failure')
  const before = keysOf().length
  assert.equal((await runShared()).kind, 'busy')
  assert.equal(keysOf().length, before)

  const ended = new Date(Date.now() - 1_000).toISOString()
  await db.updateTable('publish_outlets').set({ claimed_until: ended }).execute()
  assert.equal((await runShared()).kind, 'done', 'the claim of the first server ended')
  assert.ok(before < keysOf().length)
  rmSync(ledgerFile(dataDir))
  s3.requests.length = 0
  const { written, removed } = await planOutlets({ dataDir, targets }, { isRepair: false })
  assert.deepEqual([written, removed], [[], []], 'the folder tells the same')
})
