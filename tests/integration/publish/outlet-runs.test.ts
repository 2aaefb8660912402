import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { saveFiles } from '#src/publish/ledger/file-store.ts'
import { ledgerFile, openLedger } from '#src/publish/ledger/ledger-store.ts'
import { compareObjects, refuseManyRemovals } from '#src/publish/outlets/compare-objects.ts'
import { indexNowFile } from '#src/publish/outlets/index-now-file.ts'
import { LEFT, NAMED, openManifest, UNFINISHED } from '#src/publish/outlets/manifest.ts'
import {
  claimOutlets,
  countAddresses,
  deleteAddresses,
  findOutlet,
  insertAddresses,
  listAddresses,
  listOutlets,
  putOutlet,
  releaseOutlets,
} from '#src/publish/outlets/outlet-store.ts'
import type { OutletTargets } from '#src/publish/outlets/outlet-targets.ts'
import { planOutlets } from '#src/publish/outlets/plan-outlets.ts'
import type { PublicBucket } from '#src/publish/outlets/public-bucket.ts'
import { findDamaged } from '#src/publish/outlets/repair-objects.ts'
import { type RunOptions, runOutlets } from '#src/publish/outlets/run-outlets.ts'
import { sendNotice } from '#src/publish/outlets/send-notices.ts'
import { listSiteObjects, phaseOf, type SiteObject } from '#src/publish/outlets/site-objects.ts'
import { uploadSite } from '#src/publish/outlets/upload-site.ts'
import { machineOf } from '#src/publish/publish-lock.ts'
import { endPublish, insertPublish } from '#src/publish/publish-store.ts'
import { setLiveRelease, takeLease } from '#src/publish/shared/shared-release-store.ts'
import { shortHash } from '#src/site/content/fingerprint.ts'
import { createDestinationPolicy } from '#src/webhooks/sending/destination-address.ts'
import { createDestinationAgent } from '#src/webhooks/sending/destination-agent.ts'
import { atEnd } from '../../support/at-end.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { goLive } from '../../support/live-release.ts'

const SITE = 'https://www.example.com'
const FIRST = '20261120T100000000Z'
const NEXT = '20261120T110000000Z'
const PAGE = 'text/html; charset=utf-8'

type Pages = NonNullable<Parameters<typeof goLive>[1]>['pages']

function addFiles(folder: string, files: Record<string, string>) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
}

/** A bucket in memory. */
function aBucket() {
  const objects = new Map<string, string>()
  const done: string[] = []
  const state: { failure: Error | undefined } = { failure: undefined }
  const act = (name: string, key: string, work: () => void) => {
    if (state.failure) throw state.failure
    done.push(`${name} ${key}`)
    work()
  }
  const bucket = {
    put: async (key: string, { hash }: SiteObject) => act('put', key, () => objects.set(key, hash)),
    remove: async (key: string) => act('remove', key, () => objects.delete(key)),
    list: async () => new Map([...objects].map(([key]) => [key, { size: 1, etag: '"none"' }])),
  }
  return { objects, done, state, bucket }
}

async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const { bucket, ...inBucket } = aBucket()
  const sent: string[][] = []
  const teller = (name: string, most: number) => ({
    most,
    send: async (addresses: readonly string[]) => void sent.push([name, ...addresses]),
  })
  const targets: OutletTargets = {
    ...{ siteUrl: SITE, place: 'test', files: openDiskFiles(temporaryFolder(t)), bucket },
    ...{ purge: teller('purge', 2), indexNow: teller('indexnow', 9), texts: new Map([['key.txt', 'k']]) },
  }
  /** Makes a release live, with the history of a publish. */
  async function publish(id: string, pages: Pages, files: Record<string, string> = {}) {
    const release = await goLive(dataDir, { id, pages: pages ?? [] })
    const ledger = openLedger(ledgerFile(dataDir))
    const written = Object.entries(files).map(([file, hash]) => ({ file, hash, size: 1 }))
    saveFiles(ledger, { written, removed: [] })
    ledger.close()
    const machine = machineOf(dataDir)
    const row = { machine, startedBy: 'command', userId: null, startedAt: NOW } as const
    await endPublish(db, await insertPublish(db, row), {
      status: 'published',
      finishedAt: NOW,
      releaseId: id,
    })
    return release
  }
  const run = (options: Partial<RunOptions> = {}) =>
    runOutlets({ db, dataDir, targets }, { now: () => new Date(NOW), ...options })
  return { db, dataDir, ...inBucket, sent, targets, publish, run }
}

const NOW = '2026-11-20T12:00:00.000Z'
const after = (seconds: number) => new Date(Date.parse(NOW) + seconds * 1_000)

test('each page, file, and redirect of a release is an object, as the ledger or the folder has it', async (t) => {
  const { dataDir, publish, targets } = await aSite(t)
  const release = await publish(
    FIRST,
    [
      { path: '/', bytesHash: 'h1' },
      { path: '/a/b', bytesHash: 'h2', isListed: false },
      { path: '/404', bytesHash: 'h3' },
      { path: '/feed.xml', bytesHash: 'h4' },
    ],
    {
      ...{ 'robots.txt': 'h5', '_astro/a.css': '', 'files/plan.html': 'h6' },
      ...{ '../moved.db': 'x', _headers: 'x', _redirects: 'x' },
    },
  )
  addFiles(release.dir, { 'redirects.map': '/old /a/b;\n/a/b /;\n/odd "/x&y";\nno line\n' })
  const texts = targets.texts
  const objects = await listSiteObjects(release, { dataDir, texts })
  const { old, odd, ...others } = Object.fromEntries(objects)
  assert.deepEqual(others, {
    'index.html': { hash: 'h1', file: 'index.html', address: '/', isListed: true, type: PAGE },
    'a/b': { hash: 'h2', file: 'a/b.html', address: '/a/b', isListed: false, type: PAGE },
    '404.html': { hash: 'h3', file: '404.html', address: '/404.html', isListed: true, type: PAGE },
    'feed.xml': { hash: 'h4', file: 'feed.xml', address: '/feed.xml', isListed: true },
    'robots.txt': { hash: 'h5', file: 'robots.txt', address: '/robots.txt' },
    '_astro/a.css': { hash: NAMED, file: '_astro/a.css', address: '/_astro/a.css' },
    'files/plan': {
      ...{ hash: 'h6', file: 'files/plan.html', address: '/files/plan', isListed: false, type: PAGE },
    },
    'key.txt': { hash: shortHash('k'), text: 'k', address: '/key.txt' },
  })
  assert.deepEqual([old?.redirectTo, old?.address, old?.type], ['/a/b', '/old', PAGE])
  assert.match(old?.text ?? '', /<link rel="canonical" href="\/a\/b">.*0; url=\/a\/b".*<a href="\/a\/b">/)
  assert.match(odd?.text ?? '', /href="&quot;\/x&amp;y&quot;"/)
  assert.equal(old?.hash, shortHash(old?.text ?? ''))
  const phases = ['_astro/a.css', 'a/b', 'robots.txt', 'feed.xml', 'key.txt', 'old'].map((key) =>
    phaseOf(key, objects.get(key) as SiteObject),
  )
  assert.deepEqual(phases, [0, 1, 2, 2, 0, 1])

  addFiles(release.siteDir, {
    ...{ 'index.html': '1', 'a/b.html': '2', '404.html': '3', 'robots.txt': '5', _headers: '6' },
  })
  rmSync(ledgerFile(dataDir))
  rmSync(join(release.dir, 'redirects.map'))
  const inFolder = await listSiteObjects(release, { dataDir, texts: new Map() })
  assert.deepEqual(Object.fromEntries(inFolder), {
    'index.html': { hash: shortHash('1'), file: 'index.html', address: '/', type: PAGE, isListed: false },
    'a/b': { hash: shortHash('2'), file: 'a/b.html', address: '/a/b', type: PAGE, isListed: false },
    '404.html': { hash: shortHash('3'), file: '404.html', address: '/404.html', type: PAGE, isListed: false },
    'robots.txt': { hash: shortHash('5'), file: 'robots.txt', address: '/robots.txt' },
  })
})

test('what differs is uploaded in order, and assets stay for one more upload', () => {
  const object = (hash: string, values: Partial<SiteObject> = {}): SiteObject => ({
    hash,
    file: 'x',
    ...values,
  })
  const after = new Map([
    ['robots.txt', object('r2')],
    ['page', object('p2', { type: PAGE })],
    ['_astro/new.css', object(NAMED)],
    ['same', object('s', { type: PAGE })],
    ['unfinished', object('u', { type: PAGE })],
    ['_astro/back.css', object(NAMED)],
    ['_astro/known.css', object(NAMED)],
    ['_astro/hashed.css', object('h')],
  ])
  const before = new Map([
    ...[...after.keys()].map((key) => [key, 'old'] as const).filter(([key]) => key !== '_astro/new.css'),
    ...Object.entries({ same: 's', unfinished: UNFINISHED, '_astro/back.css': LEFT }),
    ...Object.entries({ '_astro/known.css': 'any', '_astro/hashed.css': NAMED }),
    ...Object.entries({ gone: 'g', '_astro/gone.css': 'g', '_astro/left.css': LEFT, 'x_astro/gone': 'g' }),
  ])
  assert.deepEqual(compareObjects(before, after), {
    written: ['_astro/new.css', '_astro/back.css', 'page', 'unfinished', 'robots.txt'],
    left: ['_astro/gone.css'],
    removed: ['gone', '_astro/left.css', 'x_astro/gone'],
  })
  const removing = (pages: number, assets: number, all: number) => () =>
    refuseManyRemovals(
      {
        ...{ written: [], left: [] },
        removed: [
          ...Array.from({ length: pages }, (_, index) => `${index}`),
          ...Array.from({ length: assets }, (_, index) => `_astro/${index}`),
        ],
      },
      new Map(Array.from({ length: all }, (_, index) => [`${index}`, ''])),
    )
  for (const allowed of [removing(50, 50, 60), removing(51, 0, 204), removing(0, 99, 99)]) allowed()
  assert.throws(removing(51, 0, 203), { code: 'manyRemovals', parts: [51, 203] })
})

/** Uploads objects named by their phase, such as `1-a`, and records each step. */
async function upload({
  written,
  removed = [],
  left = [],
  before = {},
  failsAt,
  signal,
}: {
  written: string[]
  removed?: string[]
  left?: string[]
  before?: Record<string, string>
  failsAt?: string
  signal?: AbortSignal
}) {
  const types = { 0: {}, 1: { type: PAGE }, 2: {} }
  const objects = new Map(
    written.map((key): [string, SiteObject] => [
      key,
      { hash: `h ${key}`, file: 'x', ...types[key[0] as '0'] },
    ]),
  )
  const steps: string[] = []
  const noted: string[][] = []
  const manifests: Record<string, string>[] = []
  let under = 0
  let most = 0
  const act = async (name: string, key: string) => {
    most = Math.max(most, ++under)
    await new Promise((resolve) => setImmediate(resolve))
    under -= 1
    if (key === failsAt) throw new Error(`no ${key}`)
    steps.push(`${name} ${key}`)
  }
  const done: number[] = []
  const result = uploadSite({
    ...{ changes: { written, left, removed }, before: new Map(Object.entries(before)), objects, signal },
    manifest: {
      read: async () => undefined,
      write: async (hashes) => void manifests.push(Object.fromEntries(hashes)),
    },
    bucket: {
      put: (key) => act('put', key),
      remove: (key) => act('remove', key),
      list: async () => new Map(),
    },
    siteDir: 'site',
    onStep: async (count) => void done.push(count),
    onNoted: async (keys) => void noted.push([...keys]),
  })
  const outcome = await result.then(
    (hashes) => Object.fromEntries(hashes),
    (error: Error) => error.message,
  )
  return { outcome, steps, noted, manifests, done, most }
}

test('an upload writes assets, pages, and lists of pages in turn, and removes what is gone last', async () => {
  const written = ['2-map.xml', '1-b', '0-a.css', '1-a', '0-b.js']
  const before = { kept: 'k', gone: 'g', old: 'o', '1-a': 'former' }
  const { outcome, steps, manifests, noted, done } = await upload({
    ...{ written, before, removed: ['gone'], left: ['old'] },
  })
  assert.deepEqual(steps, [
    ...['put 0-a.css', 'put 0-b.js', 'put 1-b', 'put 1-a', 'put 2-map.xml', 'remove gone'],
  ])
  const marks = Object.fromEntries(written.map((key) => [key, UNFINISHED]))
  assert.deepEqual(manifests, [{ kept: 'k', gone: UNFINISHED, old: LEFT, ...marks }])
  const hashes = Object.fromEntries(written.map((key) => [key, `h ${key}`]))
  assert.deepEqual(outcome, { kept: 'k', old: LEFT, ...hashes })
  assert.deepEqual([noted, done], [[], [1, 2, 3, 4, 5, 6]])
})

test('an upload notes its progress after each 200 objects, and eight are under way at once', async () => {
  const written = Array.from({ length: 401 }, (_, index) => `0-${index}.css`)
  const { outcome, noted, manifests, most } = await upload({ written })
  assert.equal(Object.keys(outcome).length, 401)
  assert.deepEqual(noted, [written.slice(0, 200), written.slice(200, 400)])
  const finished = manifests.map((one) => Object.values(one).filter((hash) => hash !== UNFINISHED).length)
  assert.deepEqual(finished, [0, 200, 400])
  assert.equal(most, 8)
})

test('an upload that fails or is stopped begins nothing more', async () => {
  const written = Array.from({ length: 20 }, (_, index) => `0-${index}.css`)
  const failed = await upload({ written: [...written, '1-page'], failsAt: '0-0.css', removed: ['gone'] })
  assert.equal(failed.outcome, 'no 0-0.css')
  assert.ok(failed.steps.length < 16, failed.steps.join())
  assert.ok(failed.steps.every((step) => step.startsWith('put 0-')))
  const stopped = await upload({ written, signal: AbortSignal.abort(new Error('stopped')) })
  assert.deepEqual([stopped.outcome, stopped.steps], ['stopped', []])
})

test('a repair finds objects that are missing or damaged, and counts those of others', async (t) => {
  const siteDir = temporaryFolder(t)
  addFiles(siteDir, { 'a.html': 'aa', 'b.html': 'bb', 'c.html': 'cc', 'd.html': 'dd' })
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  const inBucket = new Map([
    ['a', { size: 2, etag: `"${md5('aa').toUpperCase()}"` }],
    ['b', { size: 2, etag: `"${md5('xx')}"` }],
    ['c', { size: 3, etag: 'any' }],
    // Of an upload in parts, it is no MD5 hash.
    ['d', { size: 2, etag: `"${md5('xx')}-2"` }],
    ['key.txt', { size: 1, etag: md5('k') }],
    ['empty', { size: 0, etag: md5('') }],
    ['left', { size: 1, etag: '' }],
    ['foreign', { size: 1, etag: '' }],
  ])
  const file = (name: string): [string, SiteObject] => [name, { hash: `h ${name}`, file: `${name}.html` }]
  const objects = new Map<string, SiteObject>([
    ...['a', 'b', 'c', 'd'].map(file),
    ...([
      ['key.txt', { hash: 'k', text: 'k' }],
      ['empty', { hash: 'e' }],
      ['missing', { hash: 'm', text: '' }],
    ] as const),
  ])
  const bucket = { list: async () => inBucket } as unknown as PublicBucket
  const release = { id: FIRST, dir: '', siteDir }
  const find = (known?: Map<string, string>) =>
    findDamaged({ bucket } as OutletTargets, objects, { release, known })
  const hashes = { a: 'h a', b: UNFINISHED, c: UNFINISHED, d: 'h d', 'key.txt': 'k', empty: 'e' }
  const found = await find()
  assert.deepEqual([Object.fromEntries(found?.hashes ?? []), found?.others], [hashes, 2])
  const known = new Map(Object.entries({ a: 'old', left: LEFT, gone: 'g' }))
  const again = await find(known)
  assert.deepEqual([Object.fromEntries(again?.hashes ?? []), again?.others], [{ ...hashes, left: LEFT }, 1])
  const none = { bucket: undefined } as OutletTargets
  assert.equal(await findDamaged(none, objects, { release, known }), undefined)
})

test('search engines find a file whose name follows from the newest secret key', () => {
  const keys = [Buffer.from('new'), Buffer.from('old')]
  const of = (indexnow: boolean, some: Uint8Array[] = keys) =>
    indexNowFile({ indexnow, secretKeys: () => some })
  const file = of(true)
  assert.match(file?.key ?? '', /^[0-9a-f]{32}$/)
  assert.equal(file?.path, `/${file?.key}.txt`)
  assert.deepEqual(of(true, keys.slice(0, 1)), file)
  assert.notDeepEqual(of(true, keys.slice(1)), file)
  assert.deepEqual([of(false), of(true, [])], [undefined, undefined])
})

test('a manifest holds the hashes of a place', async (t) => {
  const files = openDiskFiles(temporaryFolder(t))
  const manifest = openManifest(files, 'one')
  assert.equal(await manifest.read(), undefined)
  const hashes = new Map([
    ['a/b', 'h'],
    ['c', LEFT],
  ])
  await manifest.write(hashes)
  assert.deepEqual(await openManifest(files, 'one').read(), hashes)
  assert.equal(await openManifest(files, 'two').read(), undefined)
  const keys: string[] = []
  for await (const { key } of files.list('outlets')) keys.push(key)
  assert.match(keys.join(), /^outlets\/[0-9a-f]{16}\.tsv$/)
  await files.write(keys[0] ?? '', new Blob(['a\tb']))
  assert.equal(await manifest.read(), undefined)
})

test('an outlet keeps its state, its claim, and the addresses to announce', async (t) => {
  const db = await openTestDatabase(t)
  const now = new Date(NOW)
  assert.deepEqual([await listOutlets(db), await findOutlet(db, 'upload')], [[], undefined])
  const times = { updatedAt: NOW, nextAttemptAt: after(1).toISOString() }
  const all = { releaseId: FIRST, done: 1, total: 2, failures: 3, failureMessage: 'no' }
  await putOutlet(db, 'purge', { status: 'failed', ...times, ...all })
  assert.deepEqual(await findOutlet(db, 'purge'), { name: 'purge', status: 'failed', ...times, ...all })
  await putOutlet(db, 'purge', { status: 'done', ...times })
  assert.deepEqual(await findOutlet(db, 'purge'), { name: 'purge', status: 'done', ...times, ...all })
  await putOutlet(db, 'purge', { status: 'done', ...times, done: 0, failures: 0, failureMessage: null })
  const { done, total, failures, failureMessage } = (await findOutlet(db, 'purge')) ?? {}
  assert.deepEqual([done, total, failures, failureMessage], [0, 2, 0, null])

  assert.deepEqual(
    [
      await claimOutlets(db, 'a', { now }),
      await claimOutlets(db, 'a', { now }),
      await claimOutlets(db, 'b', { now }),
    ],
    [true, true, false],
  )
  await releaseOutlets(db, 'b')
  assert.equal(await claimOutlets(db, 'b', { now }), false)
  await releaseOutlets(db, 'a')
  assert.equal(await claimOutlets(db, 'b', { now }), true)
  for (const claimed_until of ['2020-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z']) {
    await db.updateTable('publish_outlets').set({ claimed_by: 'b', claimed_until }).execute()
    assert.equal(await claimOutlets(db, 'a', { now }), true)
  }
  assert.deepEqual(
    (await listOutlets(db)).map(({ name }) => name),
    ['upload', 'purge'],
  )

  await insertAddresses(db, 'purge', ['/b', '/a'])
  await insertAddresses(db, 'purge', ['/a', '/c'])
  await insertAddresses(db, 'indexnow', ['/a'])
  assert.deepEqual(await listAddresses(db, 'purge', { limit: 2 }), ['/a', '/b'])
  await deleteAddresses(db, 'purge', ['/a', '/b'])
  assert.deepEqual([await countAddresses(db, 'purge'), await countAddresses(db, 'indexnow')], [1, 1])
})

test('a release is uploaded once, and its changed addresses are announced', async (t) => {
  const { db, dataDir, objects, done, sent, targets, publish, run } = await aSite(t)
  const nothing = { written: 0, removed: 0, told: { purge: 0, indexnow: 0 }, others: 0 }
  assert.deepEqual(await run(), { kind: 'idle', ...nothing }, 'nothing is live')
  const none = { written: [], left: [], removed: [] }
  assert.deepEqual(await planOutlets({ dataDir, targets }, { isRepair: false }), none)
  const pages = ['/', '/a', '/b', '/gone'].map((path) => ({ path }))
  await publish(FIRST, pages, { '_astro/a.css': '', 'robots.txt': 'r' })
  const planned = await planOutlets({ dataDir, targets }, { isRepair: false })
  assert.equal(planned.written.length, 7)
  const steps: string[] = []
  const first = await run({ onStep: (one, all) => void steps.push(`${one}/${all}`) })
  assert.deepEqual(first, { kind: 'done', ...nothing, written: 7 })
  assert.deepEqual([steps[0], steps.at(-1), steps.length], ['0/7', '7/7', 8])
  assert.deepEqual(
    done.map((one) => one.split(' ')[1]),
    ['_astro/a.css', 'key.txt', 'index.html', 'a', 'b', 'gone', 'robots.txt'],
  )
  assert.deepEqual(sent, [], 'nothing was there before')
  const state = await findOutlet(db, 'upload')
  assert.deepEqual(
    [state?.status, state?.releaseId, state?.done, state?.total, state?.failures],
    ['done', FIRST, 7, 7, 0],
  )
  assert.deepEqual(await run(), { kind: 'idle', ...nothing })

  done.length = 0
  const changed = [
    { path: '/', bytesHash: 'n' },
    { path: '/a' },
    { path: '/b', bytesHash: 'n', isListed: false },
  ]
  await publish(NEXT, [...changed, { path: '/é' }])
  assert.deepEqual(await run(), {
    ...{ kind: 'done', written: 3, removed: 1, others: 0 },
    told: { purge: 4, indexnow: 2 },
  })
  assert.deepEqual(done, ['put index.html', 'put b', 'put é', 'remove gone'])
  assert.ok(!objects.has('gone'))
  const inFull = (...paths: string[]) => paths.map((path) => SITE + path)
  assert.deepEqual(sent, [
    ['purge', ...inFull('/', '/%C3%A9')],
    ['purge', ...inFull('/b', '/gone')],
    ['indexnow', ...inFull('/', '/%C3%A9')],
  ])
  assert.deepEqual([await countAddresses(db, 'purge'), (await findOutlet(db, 'purge'))?.done], [0, 4])
  assert.equal((await run({ isForced: true })).kind, 'done')

  objects.delete('é')
  objects.set('foreign', 'x')
  addFiles(join(dataDir, 'releases', NEXT, 'site'), {
    ...{ 'index.html': 'x', 'a.html': 'x', 'b.html': 'x', '_astro/a.css': 'x', 'robots.txt': 'xx' },
  })
  const repair = await planOutlets({ dataDir, targets }, { isRepair: true })
  assert.deepEqual(repair, { ...none, written: ['é', 'robots.txt'] })
  const repaired = await run({ isForced: true, isRepair: true })
  assert.deepEqual([repaired.written, repaired.others], [2, 1])
})

test('a failed upload is tried again later and later', async (t) => {
  const { db, state, publish, run } = await aSite(t)
  await publish(FIRST, [{ path: '/' }])
  state.failure = new Error('no bucket')
  const waits: number[] = []
  let now = new Date(NOW)
  for (let attempt = 1; attempt <= 9; attempt += 1) {
    assert.equal((await run({ now: () => now })).kind, 'idle')
    const outlet = await findOutlet(db, 'upload')
    assert.deepEqual(
      [outlet?.status, outlet?.failures, outlet?.failureMessage, outlet?.updatedAt],
      ['failed', attempt, 'no bucket', now.toISOString()],
    )
    waits.push((Date.parse(outlet?.nextAttemptAt ?? '') - now.getTime()) / 1_000)
    now = new Date(now.getTime() + (waits.at(-1) ?? 0) * 1_000)
  }
  assert.deepEqual(waits, [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
  await assert.rejects(run({ now: () => now, isForced: true }), { message: 'no bucket' })
  state.failure = undefined
  const early = new Date(now.getTime() + 3_599_000)
  assert.equal((await run({ now: () => early })).kind, 'idle')
  const due = new Date(now.getTime() + 3_600_000)
  assert.equal((await run({ now: () => due })).kind, 'done')
  const { failures, failureMessage } = (await findOutlet(db, 'upload')) ?? {}
  assert.deepEqual([failures, failureMessage], [0, null])
})

test('an upload stores its progress every two seconds', async (t) => {
  const { db, targets, publish, run } = await aSite(t)
  await publish(FIRST, [{ path: '/' }], { '_astro/a.css': '', 'robots.txt': 'r' })
  const bucket = targets.bucket as PublicBucket
  const { put } = bucket
  bucket.put = async (key, ...args) => {
    if (key === 'robots.txt') throw new Error('no room')
    await put(key, ...args)
  }
  const doneOf = async (now: () => Date) => {
    await run({ now })
    return (await findOutlet(db, 'upload'))?.done
  }
  assert.equal(await doneOf(() => new Date(NOW)), 0)
  let seconds = 60
  const twoSecondsLater = () => {
    seconds += 2
    return after(seconds)
  }
  assert.equal(await doneOf(twoSecondsLater), 3)
})

test('a service that fails is told later', async (t) => {
  const { db, targets } = await aSite(t)
  await insertAddresses(db, 'purge', ['/a'])
  const failing = { ...targets, purge: { most: 1, send: () => Promise.reject(new Error('no CDN')) } }
  const dataDir = temporaryFolder(t)
  const tell = () => runOutlets({ db, dataDir, targets: failing }, { now: () => new Date(NOW) })
  assert.equal((await tell()).told.purge, 0)
  const failed = await findOutlet(db, 'purge')
  assert.deepEqual([failed?.failures, failed?.failureMessage], [1, 'no CDN'])
  const untold = runOutlets({ db, dataDir, targets }, { now: () => after(29) })
  assert.equal((await untold).told.purge, 0, 'not yet')
  const told = runOutlets({ db, dataDir, targets }, { now: () => after(30) })
  assert.equal((await told).told.purge, 1)
  await insertAddresses(db, 'indexnow', ['/a'])
  const without = { ...targets, indexNow: undefined, purge: undefined }
  const skipped = runOutlets({ db, dataDir, targets: without }, { now: () => after(99) })
  assert.equal((await skipped).kind, 'idle')
})

test('an upload that would remove many pages is refused', async (t) => {
  const { db, publish, run } = await aSite(t)
  const pages = (count: number) => Array.from({ length: count }, (_, index) => ({ path: `/${index}` }))
  await publish(FIRST, pages(60))
  await run()
  await publish(NEXT, pages(5))
  assert.equal((await run()).kind, 'idle')
  assert.equal((await findOutlet(db, 'upload'))?.status, 'failed')
  await assert.rejects(run({ isForced: true }), { code: 'manyRemovals' })
  assert.equal((await run({ isForced: true, allowRemovals: true })).removed, 55)
})

test('an upload that is stopped is no failure, and another process keeps its claim', async (t) => {
  const { db, publish, run } = await aSite(t)
  await publish(FIRST, [{ path: '/' }])
  const stopping = new AbortController()
  stopping.abort()
  assert.equal((await run({ signal: stopping.signal })).kind, 'idle')
  assert.equal((await findOutlet(db, 'upload'))?.status, 'running')
  await claimOutlets(db, 'another', { now: new Date(NOW) })
  assert.equal((await run()).kind, 'busy')
  await releaseOutlets(db, 'another')
  assert.equal((await run()).kind, 'done')
})

test('an upload ends once another process has its claim', async (t) => {
  const { db, done, targets, publish, run } = await aSite(t)
  const pages = Array.from({ length: 30 }, (_, index) => ({ path: `/${index}` }))
  await publish(FIRST, pages)
  const { bucket } = targets
  assert.ok(bucket)
  const put = bucket.put
  bucket.put = async (...args) => {
    await put(...args)
    const later = new Date(Date.now() + 30_000).toISOString()
    const claim = { claimed_by: 'another', claimed_until: later }
    await db.updateTable('publish_outlets').set(claim).where('name', '=', 'upload').execute()
  }
  let seconds = 0
  const now = () => {
    seconds += 3
    return after(seconds)
  }
  assert.equal((await run({ now })).kind, 'busy')
  assert.ok(done.length < 20, done.join())
  const state = await findOutlet(db, 'upload')
  assert.deepEqual([state?.status, state?.failures], ['running', 0])
})

test('the copy follows the machine that published last, or the shared live release', async (t) => {
  const { db, dataDir, targets, publish, run } = await aSite(t)
  await publish(FIRST, [{ path: '/' }])
  const history = (values: { machine?: string; release_id?: string | null }) =>
    db.updateTable('publishes').set(values).execute()
  await history({ machine: 'another' })
  assert.equal((await run()).kind, 'idle')
  await history({ machine: machineOf(dataDir), release_id: NEXT })
  assert.equal((await run()).kind, 'idle')
  const shared = { files: targets.files, server: 'a', owner: 'a' }
  const runShared = () => runOutlets({ db, dataDir, targets, shared }, { now: () => new Date(NOW) })
  await takeLease(db, shared)
  await setLiveRelease(db, 'a', NEXT)
  assert.equal((await runShared()).kind, 'idle')
  await setLiveRelease(db, 'a', FIRST)
  assert.equal((await runShared()).kind, 'done')
  await db.deleteFrom('publish_outlets').execute()
  await history({ release_id: null })
  assert.equal((await run()).kind, 'done')
  await db.deleteFrom('publish_outlets').execute()
  await db.deleteFrom('publishes').execute()
  assert.equal((await run()).kind, 'done')
})

test('a service must accept a notice', async (t) => {
  let status = 200
  const asked: { method: string | undefined; headers: NodeJS.Dict<string | string[]>; body: string }[] = []
  const server = createServer(async (request, response) => {
    const { method, headers } = request
    asked.push({ method, headers, body: (await buffer(request)).toString() })
    response.writeHead(status).end('n'.repeat(300))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, () => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const policy = createDestinationPolicy(['127.0.0.0/8'])
  const agent = createDestinationAgent({ policy, timeoutMs: 1_000 })
  const keys = { accessKeyId: 'id', secretAccessKey: 'secret' }
  const notice = { url: `http://${host}/purge`, method: 'POST', headers: { 'x-a': 'b' }, body: 'all' }
  const send = (given = {}, refusal: 'refused' | 'indexNowRefused' = 'refused') =>
    sendNotice({ ...notice, ...given }, { agent, keys, refusal })
  await send()
  assert.deepEqual([asked[0]?.method, asked[0]?.headers['x-a'], asked[0]?.body], ['POST', 'b', 'all'])
  await send({ isSigned: true })
  assert.match(
    String(asked[1]?.headers.authorization),
    /^AWS4-HMAC-SHA256 Credential=id\/\d+\/us-east-1\/cloudfront\//,
  )
  assert.equal(asked[1]?.body, 'all')
  status = 299
  await send({ body: undefined })
  assert.equal(asked[2]?.body, '')
  for (status of [300, 199 + 301]) {
    const parts = [host, status, 'n'.repeat(200)]
    await assert.rejects(send(), { code: 'refused', parts })
    await assert.rejects(send({}, 'indexNowRefused'), { code: 'indexNowRefused', parts: [host, status] })
  }
  await assert.rejects(send({ url: 'http://192.0.2.1/purge' }), { code: 'noAnswer' })
})
