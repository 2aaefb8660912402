import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { withFileLock } from '#src/db/file-lock.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { publishStep } from '#src/messages/server/publishing.ts'
import { machineOf, publishLock } from '#src/publish/publish-lock.ts'
import { secondsLeft } from '#src/publish/publish-progress.ts'
import {
  deleteOldPublishes,
  endPublish,
  findLastSettledPublish,
  insertPublish,
  listPublishes,
} from '#src/publish/publish-store.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { isHeldBack, rollBack } from '#src/publish/release/roll-back.ts'
import {
  createProgressFile,
  findLastPublishId,
  readPublishProgress,
} from '#src/publish/render/progress-file.ts'
import { temporaryFolder } from '../../support/database.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { waitFor } from '../../support/running-site.ts'
import { addEntry } from '../../support/small-site.ts'

const COMMAND = { startedBy: 'command' } as const
const NOW = new Date('2026-11-20T12:00:00.000Z')

test('the history lists each publish with user, time, changes, and release', async (t) => {
  const { db, dataDir, publish, setTitle } = await aPublishedSite(t)
  await publish()
  const first = findCurrentRelease(dataDir)?.id
  const user = await db
    .insertInto('admin_users')
    .values({ email: 'a@example.com' })
    .returning('id')
    .executeTakeFirst()
  await setTitle('Cooling for Dallas')
  await publish({ starter: { startedBy: 'admin', userId: user?.id } })
  await publish({ starter: { startedBy: 'schedule' } })
  const [third, second, one] = await listPublishes(db, { limit: 10 })
  assert.deepEqual([one?.startedBy, one?.status, one?.previousReleaseId], ['command', 'published', null])
  assert.deepEqual([second?.startedBy, second?.userId, second?.status], ['admin', user?.id, 'published'])
  assert.deepEqual([second?.pages.changed, second?.previousReleaseId], [1, first])
  assert.equal(second?.releaseId, findCurrentRelease(dataDir)?.id)
  assert.ok(second?.finishedAt && second.finishedAt > second.startedAt)
  assert.ok(second.log.some(({ name, done }) => name === 'comparing' && done > 0))
  assert.deepEqual([third?.startedBy, third?.status, third?.pages.changed], ['schedule', 'unchanged', 0])
})

test('the history lists the broken links of a publish', async (t) => {
  const { db, publish } = await aPublishedSite(t)
  await addEntry(db, 'pages', { slug: 'about', title: 'About', body: '[Privacy](/privacy)' })
  await publish()
  const [latest] = await listPublishes(db, { limit: 1 })
  const [link, cause] = latest?.reasons ?? []
  assert.equal(link, '/about links to /privacy, which does not exist. Correct the link or add the page')
  assert.ok(cause)
})

test('the history lists a failed publish with its reason', async (t) => {
  const { db, publish } = await aPublishedSite(t)
  await addEntry(db, 'pages', { slug: 'services', title: 'Takes the address of the list of services' })
  await assert.rejects(publish())
  const [failed] = await listPublishes(db, { limit: 1 })
  assert.equal(failed?.status, 'failed')
  assert.match(failed?.failureMessage ?? '', /Two pages have the address \/services/)
})

test('the next publish marks a killed one as failed, except those of other machines', async (t) => {
  const { db, dataDir, publish } = await aPublishedSite(t)
  const started = { startedBy: 'command' as const, userId: null, startedAt: NOW.toISOString() }
  const killed = await insertPublish(db, { machine: machineOf(dataDir), ...started })
  const other = await insertPublish(db, { machine: 'other:/data', ...started })
  await publish()
  const statuses = new Map((await listPublishes(db, { limit: 10 })).map(({ id, status }) => [id, status]))
  assert.deepEqual([statuses.get(killed), statuses.get(other)], ['failed', 'running'])
})

test('a rollback holds and a killed publish is detected in a container with a new host name', async (t) => {
  const { db, dataDir, publish } = await aPublishedSite(t)
  const machine = 'container-before:/data'
  writeFileSync(join(dataDir, 'machine'), `${machine}\n`)
  await publish()
  const started = { machine, startedBy: 'command' as const, userId: null, startedAt: NOW.toISOString() }
  const killed = await insertPublish(db, started)
  const rolledBack = await insertPublish(db, started)
  await endPublish(db, rolledBack, { status: 'rolled_back', finishedAt: NOW.toISOString() })
  assert.equal(await isHeldBack(db, { dataDir }), true)
  await publish()
  const [after, , ended] = await listPublishes(db, { limit: 3 })
  assert.deepEqual([after?.status, after?.machine], ['unchanged', machine])
  assert.deepEqual([ended?.id, ended?.status], [killed, 'failed'])
})

test('state recorded by host and folder in earlier versions is found', async (t) => {
  const { db, dataDir, publish } = await aPublishedSite(t)
  const machine = `${hostname()}:${dataDir}`
  const killed = await insertPublish(db, {
    machine,
    startedBy: 'command',
    userId: null,
    startedAt: NOW.toISOString(),
  })
  await publish()
  assert.equal(readFileSync(join(dataDir, 'machine'), 'utf8'), `${machine}\n`)
  assert.equal((await listPublishes(db, { limit: 10 })).find(({ id }) => id === killed)?.status, 'failed')
})

test('the history keeps the newest entries', async (t) => {
  const { db, dataDir } = await aPublishedSite(t)
  const row = {
    machine: machineOf(dataDir),
    startedBy: 'command' as const,
    userId: null,
    startedAt: NOW.toISOString(),
  }
  const ids = []
  for (let n = 0; n < 5; n++) ids.push(await insertPublish(db, row))
  await deleteOldPublishes(db, { kept: 3 })
  assert.deepEqual(
    (await listPublishes(db, { limit: 10 })).map(({ id }) => id),
    ids.slice(2).reverse(),
  )
  assert.deepEqual(
    (await listPublishes(db, { limit: 1, before: ids[4] })).map(({ id }) => id),
    [ids[3]],
  )
})

test('a rollback serves the previous release, is in the history, and lasts until the next publish', async (t) => {
  const { db, dataDir, publish, setTitle } = await aPublishedSite(t)
  await publish()
  const first = findCurrentRelease(dataDir)?.id
  await setTitle('Cooling for Dallas')
  await publish()
  const startedAt = performance.now()
  const outcome = await rollBack(db, { dataDir, starter: COMMAND, now: NOW })
  assert.ok(performance.now() - startedAt < 1_000)
  assert.deepEqual([outcome.kind, findCurrentRelease(dataDir)?.id], ['rolled_back', first])
  assert.equal((await findLastSettledPublish(db, machineOf(dataDir)))?.status, 'rolled_back')
  assert.equal(await isHeldBack(db, { dataDir }), true)
  const { kind, plan } = await publish()
  assert.deepEqual([kind, plan.changed], ['published', 1])
  assert.equal(await isHeldBack(db, { dataDir }), false)
})

test('a rollback no longer holds back a site whose releases are gone', async (t) => {
  const { db, dataDir, publish, setTitle } = await aPublishedSite(t)
  await publish()
  await setTitle('Wrong')
  await publish()
  await rollBack(db, { dataDir, starter: COMMAND, now: NOW })
  rmSync(join(dataDir, 'current'))
  rmSync(join(dataDir, 'releases'), { recursive: true })
  assert.equal(await isHeldBack(db, { dataDir }), false)
})

test('a rollback goes to the given release, also forward, or else one step back', async (t) => {
  const { db, dataDir, publish, setTitle } = await aPublishedSite(t)
  const ids = []
  for (const title of ['One', 'Two', 'Three']) {
    await setTitle(title)
    await publish()
    ids.push(findCurrentRelease(dataDir)?.id)
  }
  for (const to of [ids[0], ids[2]]) {
    await rollBack(db, { dataDir, to, starter: COMMAND, now: NOW })
    assert.equal(findCurrentRelease(dataDir)?.id, to)
  }
  assert.equal((await rollBack(db, { dataDir, to: ids[2], starter: COMMAND, now: NOW })).kind, 'current')
  // Without a name each one goes back a step, also after the one before.
  for (const to of [ids[1], ids[0]]) {
    await rollBack(db, { dataDir, starter: COMMAND, now: NOW })
    assert.equal(findCurrentRelease(dataDir)?.id, to)
  }
  assert.equal((await rollBack(db, { dataDir, starter: COMMAND, now: NOW })).kind, 'no_release')
  const unknown = '20200101T000000000Z'
  assert.equal((await rollBack(db, { dataDir, to: unknown, starter: COMMAND, now: NOW })).kind, 'no_release')
})

test('without an earlier release a rollback is refused', async (t) => {
  const { db, dataDir, publish } = await aPublishedSite(t)
  assert.equal((await rollBack(db, { dataDir, starter: COMMAND, now: NOW })).kind, 'no_release')
  await publish()
  assert.equal((await rollBack(db, { dataDir, starter: COMMAND, now: NOW })).kind, 'no_release')
})

test('no rollback is possible while a publish runs', async (t) => {
  const { db, dataDir, publish } = await aPublishedSite(t)
  await publish()
  await withFileLock(publishLock(dataDir), async () => {
    assert.equal((await rollBack(db, { dataDir, starter: COMMAND, now: NOW })).kind, 'busy')
  })
})

test('a publish’s progress is readable only while it runs', async (t) => {
  const { dataDir, publish } = await aPublishedSite(t)
  const seen: (string | undefined)[] = []
  const look = () => seen.push(readPublishProgress(dataDir)?.phases.at(-1)?.name)
  await publish({ progress: { ...silentProgress, update: look } })
  assert.ok(seen.includes('comparing'), String(seen))
  assert.equal(readPublishProgress(dataDir), undefined)
})

test('the remaining time follows the pace so far', () => {
  const at = (second: number) =>
    new Date(Date.parse('2026-11-20T10:00:00.000Z') + second * 1_000).toISOString()
  const progress = (done: number) => ({
    publishId: 1,
    updatedAt: at(10),
    phases: [{ name: 'Rendering pages', startedAt: at(0), done, total: 100 }],
  })
  assert.equal(secondsLeft(progress(25)), 30)
  assert.equal(secondsLeft(progress(100)), 0)
  assert.equal(secondsLeft(progress(0)), undefined)
})

test('a progress file contains every phase with its count', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data')
  mkdirSync(dataDir)
  const progress = createProgressFile(dataDir, { publishId: 7, now: () => NOW })
  progress.phase(publishStep('comparing'))
  progress.update(3, 9)
  progress.phase(publishStep('finishing'))
  progress.finish()
  const names = progress.phases().map(({ name, done, total }) => [name, done, total])
  assert.deepEqual(names, [
    ['comparing', 3, 9],
    ['finishing', 0, 0],
  ])
  await withFileLock(publishLock(dataDir), async () => {
    assert.equal(readPublishProgress(dataDir)?.publishId, 7)
    await waitFor(() => {
      progress.update(5, 9)
      return readPublishProgress(dataDir)?.phases.at(-1)?.done === 5
    })
  })
})

test('the last publish is known, or unknown if a power cut emptied the file', (t) => {
  const dataDir = temporaryFolder(t)
  assert.equal(findLastPublishId(dataDir), undefined)
  createProgressFile(dataDir, { publishId: 7, now: () => NOW }).phase(publishStep('comparing'))
  assert.equal(findLastPublishId(dataDir), 7)
  writeFileSync(join(dataDir, 'publish-progress.json'), '')
  assert.equal(findLastPublishId(dataDir), undefined)
})
