import assert from 'node:assert/strict'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { withFileLock } from '#src/db/file-lock.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { ledgerFile, openLedger, readFactsOf } from '#src/publish/ledger/ledger-store.ts'
import { PAGE_COLUMNS } from '#src/publish/ledger/ledger-tables.ts'
import { readNewest } from '#src/publish/ledger/newest-release.ts'
import { liveContentFile } from '#src/publish/live/live-content.ts'
import { machineOf, publishLock } from '#src/publish/publish-lock.ts'
import { pageFile } from '#src/publish/release/page-file.ts'
import { findCurrentRelease, hasRelease, type Release } from '#src/publish/release/release.ts'
import { storeFolder, takeFolder } from '#src/publish/shared/folder-pack.ts'
import { followSite } from '#src/publish/shared/follow-site.ts'
import { openTakeThread } from '#src/publish/shared/open-take-thread.ts'
import { withLease } from '#src/publish/shared/publish-lease.ts'
import { shareRelease, showRelease, tidyReleases } from '#src/publish/shared/share-release.ts'
import {
  announceRelease,
  countUnready,
  deleteLostServers,
  deleteReleaseServer,
  forgetSharedReleases,
  listSharedReleases,
  readSharedState,
  releaseLease,
  renewLease,
  saveReleaseServer,
  setLiveRelease,
  takeLease,
  wantLease,
} from '#src/publish/shared/shared-release-store.ts'
import { historyOf, openSharedSite, serverOfContent } from '#src/publish/shared/shared-site.ts'
import { adoptRelease, showLive, takeLive } from '#src/publish/shared/take-live.ts'
import { takeRelease } from '#src/publish/shared/take-release.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { goLive } from '../../support/live-release.ts'
import { waitFor } from '../../support/running-site.ts'

const idAt = (minute: number) => `20261120T10${String(minute).padStart(2, '0')}00000Z`

type Pages = Record<string, string>

/** Servers of a site, in this process: a database, a store, and a folder for each. */
async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const store = temporaryFolder(t)
  const files = openDiskFiles(store)
  const server = (dataDir = temporaryFolder(t)) => ({
    dataDir,
    shared: { files, server: dataDir, owner: dataDir },
  })
  type Server = ReturnType<typeof server>
  /** Makes a release with these pages live on one server, as a publish does before it is shared. */
  async function make({ dataDir }: Server, id: string, pages: Pages, parent?: Release) {
    const liveBytes = parent ? 16 : 8
    const facts = { liveBytes, shownAt: id }
    const records = Object.entries(pages).map(([path, html]) => ({
      path,
      bytesHash: html,
      size: html.length,
    }))
    const release = await goLive(dataDir, { id, facts, pages: records })
    noteSamePages(dataDir)
    for (const [path, html] of Object.entries(pages)) {
      const file = join(release.siteDir, pageFile(path))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, html)
    }
    writeFileSync(join(release.dir, 'changes.tsv'), id)
    mkdirSync(dirname(liveContentFile(dataDir, release)), { recursive: true })
    // The rows of a release are the start of the next one's file.
    if (parent) linkSync(liveContentFile(dataDir, parent), liveContentFile(dataDir, release))
    const rows = parent ? 'the rowsmore row' : 'the rows'
    writeFileSync(liveContentFile(dataDir, release), `${rows} and what was never live`)
    return release
  }
  /** Shares it, on top of another one if given. */
  async function share({ dataDir, shared }: Server, release: Release, parent?: Release) {
    const ledger = openLedger(ledgerFile(dataDir))
    try {
      const facts = readFactsOf(ledger, release)?.facts
      const before = parent && readFactsOf(ledger, parent)?.facts
      assert.ok(facts)
      await takeLease(db, shared)
      await shareRelease(db, shared, {
        ...{ dataDir, ledger, release, facts },
        parent: parent && before && { release: parent, facts: before },
      })
      await tidyReleases(db, shared, { dataDir, ledger, release })
      await releaseLease(db, shared.owner)
    } finally {
      ledger.close()
    }
  }
  const publish = async (on: Server, id: string, pages: Pages, parent?: Release) => {
    const release = await make(on, id, pages, parent)
    await share(on, release, parent)
    return release
  }
  return { db, store, files, server, make, share, publish }
}

// `goLive` counts every page as written.
function noteSamePages(dataDir: string) {
  const ledger = openLedger(ledgerFile(dataDir))
  ledger.exec(`delete from former where source = 'pages' and number = (select max(number) from releases)
    and row ->> ${PAGE_COLUMNS.indexOf('bytes_hash')} = (select bytes_hash from pages where path = former.key)`)
  ledger.close()
}

/** What a server shows. */
function shown({ dataDir }: { dataDir: string }) {
  const release = findCurrentRelease(dataDir)
  assert.ok(release)
  const files = readdirSync(release.dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file.slice(release.dir.length + 1), readFileSync(file, 'utf8')])
  return {
    ...{ id: release.id, files: Object.fromEntries(files.toSorted()), ledger: readNewest(dataDir) },
    live: readFileSync(liveContentFile(dataDir, release), 'utf8'),
  }
}

test('a server builds a release from the store, alone or on top of another one', async (t) => {
  const { db, store, server, publish } = await aSite(t)
  const [a, b, c] = [server(), server(), server()]
  await takeLive(db, b)
  assert.equal(findCurrentRelease(b.dataDir), undefined, 'nothing is shared')
  const first = await publish(a, idAt(1), { '/': 'one', '/gone': 'gone', '/kept': 'kept' })
  await takeLive(db, { dataDir: c.dataDir })
  assert.equal(findCurrentRelease(c.dataDir), undefined, 'this one runs alone')
  await takeLive(db, b)
  assert.deepEqual(shown(b), { ...shown(a), live: 'the rows' })
  assert.deepEqual(
    (await listSharedReleases(db)).map(({ parentId }) => parentId),
    [null],
  )
  await publish(a, idAt(2), { '/': 'two', '/kept': 'kept', '/new': 'new' }, first)
  const parts = join(store, 'releases', idAt(1))
  renameSync(parts, `${parts}.away`)
  await takeLive(db, b)
  renameSync(`${parts}.away`, parts)
  const { files, id, live } = shown(b)
  assert.deepEqual([id, files, live], [idAt(2), shown(a).files, 'the rowsmore row'])
  assert.deepEqual(Object.keys(files), ['changes.tsv', 'site/index.html', 'site/kept.html', 'site/new.html'])
  assert.deepEqual(shown(b).ledger, shown(a).ledger)
  const [newest] = await listSharedReleases(db)
  assert.deepEqual([newest?.id, newest?.parentId, newest?.wholeParts], [idAt(2), idAt(1), undefined])
  assert.match(newest?.parts[0]?.key ?? '', /^releases\/20261120T100200000Z\/new-0$/)
  await takeLive(db, c)
  assert.deepEqual(shown(c), shown(b), 'both releases are needed')
  assert.ok(hasRelease(c.dataDir, idAt(1)))
})

test('a release whose parts are gone or damaged is not shown', async (t) => {
  const { db, files, server, publish } = await aSite(t)
  const [a, b] = [server(), server()]
  const first = await publish(a, idAt(1), { '/': 'one' })
  await publish(a, idAt(2), { '/': 'two' }, first)
  const releases = await listSharedReleases(db)
  const take = (id: string, known = releases) =>
    takeRelease(id, { dataDir: b.dataDir, files, releases: known })
  await assert.rejects(take(idAt(3)), { code: 'releaseUnknown' })
  const [newest] = releases
  assert.ok(newest)
  await assert.rejects(take(idAt(2), [newest]), { code: 'releaseUnknown' })
  const [{ key, sha256 } = { key: '', sha256: '' }] = newest.parts
  const damaged = { ...newest, parts: [{ key, sha256: 'x', bytes: 1 }] }
  await assert.rejects(take(idAt(2), [damaged, ...releases.slice(1)]), { code: 'partDamaged', parts: [key] })
  assert.ok(hasRelease(b.dataDir, idAt(1)) && !hasRelease(b.dataDir, idAt(2)))
  await files.remove(key)
  await assert.rejects(take(idAt(2)), { code: 'partMissing', parts: [key] })
  assert.match(sha256, /^[0-9a-f]{64}$/)
  await take(idAt(1))
  await assert.rejects(takeLive(db, b), { code: 'partMissing' })
  assert.equal(findCurrentRelease(b.dataDir), undefined)
})

test('a long line of releases gets a whole one, and parts that nobody needs are deleted', async (t) => {
  const { db, store, server, publish } = await aSite(t)
  const [a, b] = [server(), server()]
  let parent: Release | undefined
  for (let minute = 1; minute <= 5; minute += 1)
    parent = await publish(a, idAt(minute), { '/': `${minute}` }, parent)
  const whole = async () => {
    const releases = await listSharedReleases(db)
    return releases.flatMap(({ id, wholeParts }) => (wholeParts ? [id] : []))
  }
  assert.deepEqual(await whole(), [])
  const folder = (id: string) => join(store, 'releases', id)
  for (const name of ['unnamed', 'left']) {
    mkdirSync(folder(name))
    writeFileSync(join(folder(name), 'new-0'), '')
  }
  utimesSync(join(folder('left'), 'new-0'), 1, 1)
  const preview = join(store, 'previews/one/0')
  mkdirSync(dirname(preview), { recursive: true })
  writeFileSync(preview, '')
  utimesSync(preview, 1, 1)
  for (let minute = 6; minute <= 11; minute += 1) {
    parent = await publish(a, idAt(minute), { '/': `${minute}` }, parent)
    for (const name of readdirSync(folder(idAt(minute)))) utimesSync(join(folder(idAt(minute)), name), 1, 1)
  }
  assert.deepEqual(await whole(), [idAt(11), idAt(6)])
  const ids = (await listSharedReleases(db)).map(({ id }) => id)
  assert.deepEqual(ids, [11, 10, 9, 8, 7, 6].map(idAt))
  const inStore = readdirSync(join(store, 'releases')).filter((id) => readdirSync(folder(id)).length > 0)
  assert.deepEqual(inStore.sort(), [...ids.toReversed(), 'unnamed'])
  assert.ok(existsSync(preview))
  await takeLive(db, b)
  assert.equal(shown(b).files['site/index.html'], '11')
  assert.ok(!hasRelease(b.dataDir, idAt(10)), 'a joining server takes the whole one')
})

test('a release is shown to all servers at once, when those that live have it', async (t) => {
  const db = await openTestDatabase(t)
  const owner = { server: 'a', owner: 'process' }
  await takeLease(db, owner)
  const show = (id: string) => showRelease(db, owner, { id, bytes: 0 })
  await saveReleaseServer(db, { server: 'a', releaseId: null, stagedId: null })
  await saveReleaseServer(db, { server: 'lost', releaseId: null, stagedId: null })
  const seen_at = new Date(Date.now() - 20_000).toISOString()
  await db.updateTable('release_servers').set({ seen_at }).where('server', '=', 'lost').execute()
  assert.equal(await countUnready(db, { server: 'a', id: 'one' }), 0)
  await show('one')
  assert.equal((await readSharedState(db)).liveId, 'one')
  await saveReleaseServer(db, { server: 'b', releaseId: 'one', stagedId: null })
  assert.equal(await countUnready(db, { server: 'a', id: 'two' }), 1)
  let isShown = false
  const showing = show('two').then(() => {
    isShown = true
  })
  await waitFor(async () => (await readSharedState(db)).nextId === 'two')
  await delay(60)
  assert.equal(isShown, false)
  await saveReleaseServer(db, { server: 'b', releaseId: 'one', stagedId: 'two' })
  await showing
  const { liveId, nextId } = await readSharedState(db)
  assert.deepEqual([liveId, nextId], ['two', undefined])
  await takeLease(db, { ...owner, owner: 'newer' })
  await assert.rejects(show('three'), { code: 'tookOver' })
  assert.equal((await readSharedState(db)).liveId, 'two')
  await db
    .updateTable('release_servers')
    .set({ seen_at: '2020-01-01' })
    .where('server', '=', 'lost')
    .execute()
  await deleteLostServers(db)
  const servers = async () => (await db.selectFrom('release_servers').select('server').execute()).length
  assert.equal(await servers(), 2)
  await deleteReleaseServer(db, 'b')
  assert.equal(await servers(), 1)
})

test('one server at a time may publish, until it is silent', async (t) => {
  const db = await openTestDatabase(t)
  const none = { liveId: undefined, nextId: undefined, publisher: undefined, progress: undefined }
  assert.deepEqual(await readSharedState(db), none)
  const [a, b] = ['a', 'b'].map((server) => ({ server, owner: `process of ${server}` }))
  assert.ok(a && b)
  assert.deepEqual(
    [await takeLease(db, a), await takeLease(db, b), await takeLease(db, a)],
    [true, false, true],
  )
  const phases = [{ name: 'rendering', startedAt: '', done: 1, total: 2 }]
  const progress = { publishId: 1, updatedAt: '', phases }
  assert.equal(await renewLease(db, b.owner, progress), false)
  assert.equal((await readSharedState(db)).progress, undefined)
  assert.equal(await renewLease(db, a.owner, progress), false)
  assert.deepEqual(await readSharedState(db), { ...none, publisher: 'a', progress })
  await wantLease(db)
  assert.equal(await renewLease(db, a.owner, undefined), true)
  assert.deepEqual(
    [await announceRelease(db, b.owner, 'x'), await setLiveRelease(db, b.owner, 'x')],
    [false, false],
  )
  assert.equal(await announceRelease(db, a.owner, 'one'), true)
  assert.equal((await readSharedState(db)).nextId, 'one')
  await releaseLease(db, b.owner)
  assert.equal((await readSharedState(db)).publisher, 'a')
  const renewed_at = new Date(Date.now() - 16_000).toISOString()
  await db.updateTable('shared_site').set({ renewed_at }).execute()
  assert.equal((await readSharedState(db)).publisher, undefined)
  assert.equal(await takeLease(db, b), true)
  assert.deepEqual(await readSharedState(db), { ...none, publisher: 'b' })
  assert.equal(await renewLease(db, b.owner, undefined), false, 'the wish was for the first one')
  assert.equal(await setLiveRelease(db, b.owner, 'two'), true)
  await releaseLease(db, b.owner)
  assert.deepEqual(await readSharedState(db), { ...none, liveId: 'two' })
  await forgetSharedReleases(db)
  assert.deepEqual(await readSharedState(db), none)
})

test('work waits for the lease of another server, and may give it up', async (t) => {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const shared = (server: string) => ({ files: openDiskFiles(dataDir), server, owner: server })
  const run = <T>(server: string, work: () => Promise<T>, options = {}) =>
    withLease(db, { shared: shared(server), dataDir, withinMs: 0, ...options }, work)
  assert.equal(await run('a', async () => (await readSharedState(db)).publisher), 'a')
  assert.equal((await readSharedState(db)).publisher, undefined)
  await assert.rejects(
    run('a', () => Promise.reject(new Error('no'))),
    { message: 'no' },
  )
  const nested = await run('a', () => run('b', async () => 'done'))
  assert.equal(nested, undefined)
  const ending = Promise.withResolvers<string>()
  const first = run('a', () => ending.promise)
  await waitFor(async () => (await readSharedState(db)).publisher === 'a')
  const second = run('b', async () => 'second', { withinMs: 10_000 })
  await waitFor(async () => {
    const { wanted_at } = await db.selectFrom('shared_site').select('wanted_at').executeTakeFirstOrThrow()
    return wanted_at !== null
  })
  ending.resolve('first')
  assert.deepEqual([await first, await second], ['first', 'second'])
  const yielding = run('a', () => new Promise(() => {}), { yields: true })
  await waitFor(async () => (await readSharedState(db)).publisher === 'a')
  assert.equal(await run('b', async () => 'third', { withinMs: 10_000 }), 'third')
  assert.equal(await yielding, undefined)
})

test('a site is shared if other servers reach its database and its files', (t) => {
  const dataDir = temporaryFolder(t)
  const elsewhere = { kind: 'disk' as const, folder: '/elsewhere' }
  const open = (databaseUrl: string, filePlace: Parameters<typeof openSharedSite>[0]['filePlace']) =>
    openSharedSite({ databaseUrl, dataDir, filePlace })
  assert.equal(open('postgres://db', { kind: 'disk', folder: dataDir }), undefined)
  assert.equal(open('file:signpost.db', elsewhere), undefined)
  const shared = open('postgres://db', elsewhere)
  assert.equal(shared?.server, machineOf(dataDir))
  assert.notEqual(shared?.owner, open('postgres://db', elsewhere)?.owner)
  assert.deepEqual(
    [historyOf({ dataDir }), historyOf({ dataDir, shared })],
    [machineOf(dataDir), 'all servers'],
  )
  const of = (databaseUrl: string, contentSync: 'new' | 'all' | 'off') =>
    serverOfContent({ databaseUrl, dataDir, contentSync })
  const machine = machineOf(dataDir)
  assert.deepEqual(
    [of('postgres://db', 'new'), of('postgres://db', 'off'), of('postgres://db', 'all'), of('file:a', 'new')],
    [machine, machine, undefined, undefined],
  )
})

test('a folder is stored and restored as a whole', async (t) => {
  const { store, files } = await aSite(t)
  const [from, to] = [temporaryFolder(t), join(temporaryFolder(t), 'previews')]
  mkdirSync(join(from, 'a/empty'), { recursive: true })
  writeFileSync(join(from, 'a/b.html'), 'b')
  writeFileSync(join(from, 'c.html'), '')
  await storeFolder(files, from, 'previews/one')
  assert.deepEqual(readdirSync(join(store, 'previews/one')), ['0'])
  const left = () => readdirSync(dirname(to))
  assert.equal(await takeFolder(files, 'previews/two', to), false)
  assert.deepEqual(left(), [])
  assert.equal(await takeFolder(files, 'previews/one', to), true)
  assert.equal(readFileSync(join(to, 'a/b.html'), 'utf8'), 'b')
  assert.deepEqual([left(), readdirSync(to).sort()], [['previews'], ['a', 'c.html']])
  writeFileSync(join(to, 'c.html'), 'kept')
  assert.equal(await takeFolder(files, 'previews/one', to), true, 'it is there already')
  assert.equal(readFileSync(join(to, 'c.html'), 'utf8'), 'kept')
  assert.deepEqual(left(), ['previews'])
  const gone = { ...files, open: async () => undefined }
  assert.equal(await takeFolder(gone, 'previews/one', `${to}-2`), false)
  writeFileSync(join(dirname(to), 'file'), '')
  await assert.rejects(takeFolder(files, 'previews/one', join(dirname(to), 'file')), { code: 'ENOTDIR' })
  assert.deepEqual(left().sort(), ['file', 'previews'])
})

test('a server shows the live release once it has it, and shares one that it had before', async (t) => {
  const { db, server, make, publish } = await aSite(t)
  const [a, b] = [server(), server()]
  assert.equal(await showLive(db, b), true, 'nothing is live')
  await adoptRelease(db, a)
  await make(a, idAt(1), { '/': 'one' })
  await adoptRelease(db, { dataDir: a.dataDir })
  await assert.rejects(adoptRelease(db, a), { code: 'tookOver' }, 'it has no lease')
  await db.deleteFrom('shared_releases').execute()
  await takeLease(db, a.shared)
  await adoptRelease(db, a)
  assert.equal((await readSharedState(db)).liveId, idAt(1))
  await adoptRelease(db, a)
  assert.equal((await listSharedReleases(db)).length, 1)
  assert.equal(await showLive(db, b), false)
  await takeLive(db, b)
  await publish(a, idAt(2), { '/': 'two' })
  const files = a.shared.files
  await takeRelease(idAt(2), { dataDir: b.dataDir, files, releases: await listSharedReleases(db) })
  assert.equal(findCurrentRelease(b.dataDir)?.id, idAt(1))
  assert.deepEqual([await showLive(db, b), await showLive(db, b)], [true, true])
  assert.equal(findCurrentRelease(b.dataDir)?.id, idAt(2))
})

test('releases and folders are fetched in a thread, one at a time', async (t) => {
  const { db, store, files, server, publish } = await aSite(t)
  const [a, b] = [server(), server()]
  await publish(a, idAt(1), { '/': 'one' })
  const releases = await listSharedReleases(db)
  const thread = openTakeThread({ dataDir: b.dataDir, filePlace: { kind: 'disk', folder: store } })
  t.after(() => thread.end())
  const release = (id: string) => ({ kind: 'release' as const, id, releases })
  const folder = join(b.dataDir, 'previews/one')
  const asked = [
    thread.take({ kind: 'folder', place: 'previews/one', folder }),
    thread.take(release(idAt(1))),
    thread.take(release(idAt(1))),
  ]
  assert.deepEqual(await Promise.all(asked), [false, true, true])
  assert.ok(hasRelease(b.dataDir, idAt(1)))
  await assert.rejects(thread.take(release(idAt(2))), /\S/)
  const busy = withFileLock(publishLock(b.dataDir), () => thread.take(release(idAt(1))))
  assert.equal(await busy, false, 'this server publishes')
  await storeFolder(files, a.dataDir, 'previews/one')
  await thread.end()
  assert.equal(await thread.take({ kind: 'folder', place: 'previews/one', folder }), true, 'a new thread')
})

test('a server follows the live release of the others', async (t) => {
  const { db, store, files, server, make, publish } = await aSite(t)
  const [a, b] = [server(), server()]
  const failures: string[] = []
  let gaveWay = 0
  const follow = (to: typeof b) =>
    followSite({
      ...{ db, databaseUrl: 'postgres://127.0.0.1:1/none', dataDir: to.dataDir, shared: to.shared },
      filePlace: { kind: 'disk', folder: store },
      log: { error: (_: object, message: string) => void failures.push(message) } as never,
      onNext: () => {
        gaveWay += 1
      },
    })
  const follower = follow(b)
  t.after(() => follower.stop())
  assert.deepEqual([follower.hasJoined(), follower.state()], [false, undefined])
  await follower.settle()
  await follower.join()
  assert.deepEqual([follower.hasJoined(), follower.state()?.liveId, gaveWay], [true, undefined, 0])
  const reported = async () =>
    db
      .selectFrom('release_servers')
      .select(['release_id', 'staged_id'])
      .where('server', '=', b.shared.server)
      .execute()
  assert.deepEqual(await reported(), [{ release_id: null, staged_id: null }])

  await publish(a, idAt(1), { '/': 'one' })
  await waitFor(() => findCurrentRelease(b.dataDir)?.id === idAt(1))
  assert.equal(gaveWay, 1)
  await waitFor(async () => (await reported())[0]?.release_id === idAt(1))
  assert.equal((await reported())[0]?.staged_id, idAt(1))
  await make(b, idAt(2), { '/': 'two' })
  await takeLease(db, a.shared)
  await announceRelease(db, a.shared.owner, idAt(2))
  await waitFor(() => follower.state()?.nextId === idAt(2))
  await setLiveRelease(db, a.shared.owner, idAt(2))
  await Promise.all([follower.settle(), follower.settle()])
  assert.deepEqual([follower.state()?.liveId, findCurrentRelease(b.dataDir)?.id], [idAt(2), idAt(2)])
  await storeFolder(files, a.dataDir, 'previews/one')
  const folder = join(b.dataDir, 'previews/one')
  assert.deepEqual([await follower.bring('previews/one', folder), existsSync(folder)], [true, true])
  assert.deepEqual(failures, [])
  await follower.stop()
  assert.deepEqual(await reported(), [])

  // Without the store, it has not joined.
  const c = server()
  rmSync(join(store, 'releases'), { recursive: true })
  const lost = follow(c)
  const joining = lost.join()
  await waitFor(() => failures.length > 0)
  assert.equal(lost.hasJoined(), false)
  await lost.stop()
  await joining
})
