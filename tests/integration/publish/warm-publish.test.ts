import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connectSqlite } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import { type Progress, type Step, silentProgress } from '#src/lib/progress.ts'
import { readCheckReport } from '#src/publish/check-report.ts'
import { bundleFingerprint } from '#src/publish/plan/template-fingerprint.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { ensureBundle } from '#src/publish/render/bundle.ts'
import { askServer, listenForCommands } from '#src/publish/warm/command-socket.ts'
import { keepProcess, type Limits } from '#src/publish/warm/keep-process.ts'
import { openWarmProcess } from '#src/publish/warm/open-warm-process.ts'
import type { PublishRequest } from '#src/publish/warm/warm-calls.ts'
import { assertWithin } from '#tests/support/assert-within.ts'
import { atEnd } from '#tests/support/at-end.ts'
import { temporaryFolder } from '#tests/support/database.ts'
import { watchLoop } from '#tests/support/longest-turn.ts'
import { aPublishedSite } from '#tests/support/publishing.ts'
import { PROJECT_DIR, runScript, waitFor } from '#tests/support/running-site.ts'

const COMMAND = { startedBy: 'command' } as const
const LONGEST_TURN_MS = 50

async function aWarmSite(
  t: TestContext,
  { projectDir = PROJECT_DIR, ...limits }: { projectDir?: string } & Limits = {},
) {
  const path = join(temporaryFolder(t), 'signpost.db')
  const db = connectSqlite(path)
  atEnd(t, () => db.destroy())
  await migrate(db)
  const { dataDir, setTitle } = await aPublishedSite(t, db)
  const site = { projectDir, dataDir, siteUrl: 'https://example.com', databaseUrl: `file:${path}` }
  const place = { ...site, filePlace: { kind: 'disk' as const, folder: dataDir } }
  const warm = openWarmProcess(place, limits)
  atEnd(t, () => warm.end())
  const { signal } = new AbortController()
  const publish = (progress?: Progress) => warm.publish(COMMAND, { signal, progress })
  const readDallas = () =>
    readFileSync(join(String(findCurrentRelease(dataDir)?.siteDir), 'services/ac-repair/dallas.html'), 'utf8')
  return { site, place, warm, publish, setTitle, readDallas, signal }
}

test('one process publishes repeatedly and delays nobody', async (t) => {
  const { warm, publish, setTitle, readDallas, signal } = await aWarmSite(t)
  assert.equal((await publish())?.kind, 'published')
  const first = warm.processId()
  const loop = watchLoop()
  await setTitle('Cool in Dallas')
  const { plan } = await warm.plan(signal)
  assert.equal(plan.changed, 1)
  const outcome = await publish()
  assert.deepEqual([outcome?.kind, outcome?.scope, outcome?.plan.changed], ['published', 'changes', 1])
  assert.match(readDallas(), /Cool in Dallas/)
  assert.equal((await publish())?.kind, 'unchanged')
  assert.ok(first !== undefined && first !== process.pid)
  assert.equal(warm.processId(), first)
  const { ownMs } = loop.end()
  assertWithin(ownMs, LONGEST_TURN_MS)
  await warm.end()
  assert.throws(() => process.kill(first, 0), { code: 'ESRCH' })
})

test('a call never goes to a process that was killed and has not ended yet', async (t) => {
  const { place, publish, setTitle, signal } = await aWarmSite(t)
  await publish()
  await setTitle('Cool in Dallas')
  const kept = keepProcess(place)
  atEnd(t, () => kept.end())
  const plan = () => kept.ask({ call: 'plan' }, { signal, progress: silentProgress })
  const first = await plan()
  kept.kill()
  assert.deepEqual(await plan(), first)
})

test('a site check runs in the warm process too and reports its findings', async (t) => {
  const { warm, publish, site, signal } = await aWarmSite(t, { isForOneCall: true })
  await publish()
  await warm.check(signal)
  assert.equal(readCheckReport(site.dataDir)?.found, null)
  assert.equal(warm.processId(), undefined)
})

test('killing the process during a publish leaves the site unchanged, and the next call starts a new one', async (t) => {
  const { warm, publish, setTitle, readDallas } = await aWarmSite(t)
  await publish()
  await setTitle('Cool in Dallas')
  const first = warm.processId()
  const kill = { ...silentProgress, phase: () => process.kill(Number(first), 'SIGKILL') }
  await assert.rejects(publish(kill), /SIGKILL/)
  assert.doesNotMatch(readDallas(), /Cool in Dallas/)
  await publish()
  assert.notEqual(warm.processId(), first)
  assert.match(readDallas(), /Cool in Dallas/)
})

test('aborting a publish ends the process', async (t) => {
  const { warm, site } = await aWarmSite(t)
  const stopping = new AbortController()
  const progress = { ...silentProgress, phase: () => stopping.abort() }
  await assert.rejects(warm.publish(COMMAND, { signal: stopping.signal, progress }))
  assert.equal(findCurrentRelease(site.dataDir), undefined)
  assert.equal(warm.processId(), undefined)
})

test('the process ends when it is idle, and is replaced when it uses too much memory', async (t) => {
  const idle = await aWarmSite(t, { idleMs: 1 })
  await idle.publish()
  await waitFor(() => idle.warm.processId() === undefined)
  assert.equal((await idle.publish())?.kind, 'unchanged')
  const large = await aWarmSite(t, { mostBytes: 1 })
  const used = new Set<number | undefined>()
  await large.publish({ ...silentProgress, phase: () => used.add(large.warm.processId()) })
  const next = large.warm.processId()
  assert.ok(next !== undefined && used.size === 1 && !used.has(next))
})

test('after an upgrade a new process publishes', async (t) => {
  const projectDir = temporaryFolder(t)
  const { folder } = await ensureBundle(PROJECT_DIR)
  mkdirSync(join(projectDir, 'dist'))
  mkdirSync(join(projectDir, 'src'))
  // Both programs have their templates already.
  const install = async (version: string) => {
    writeFileSync(join(projectDir, 'src/version.ts'), version)
    symlinkSync(folder, join(projectDir, 'dist', await bundleFingerprint(projectDir)))
  }
  await install('1')
  const { warm, publish } = await aWarmSite(t, { projectDir })
  await publish()
  const first = warm.processId()
  await install('2')
  assert.equal((await publish())?.scope, 'program')
  assert.notEqual(warm.processId(), first)
})

test('a command publishes through the server and shows its progress', async (t) => {
  const { site, warm, signal } = await aWarmSite(t)
  atEnd(
    t,
    listenForCommands(site, (request, progress) => warm.publish(request, { signal, progress })),
  )
  const phases: string[] = []
  const progress = { ...silentProgress, phase: ({ code }: Step) => phases.push(code) }
  const outcome = await askServer(site, COMMAND, progress)
  assert.equal(outcome?.release.id, findCurrentRelease(site.dataDir)?.id)
  assert.deepEqual(phases, ['comparing', 'pictures', 'finishing'])
  assert.equal(
    await askServer({ ...site, siteUrl: 'https://example.org' }, COMMAND, silentProgress),
    undefined,
  )
})

test('npm run build publishes through the server of its folder', async (t) => {
  const { site, warm, signal } = await aWarmSite(t)
  const requests: PublishRequest[] = []
  const publish = (request: PublishRequest) => {
    requests.push(request)
    return warm.publish(request, { signal })
  }
  atEnd(t, listenForCommands(site, publish))
  const environment = { SITE_URL: site.siteUrl, DATABASE_URL: site.databaseUrl }
  const options = { dataDir: site.dataDir, contentDir: temporaryFolder(t), environment }
  const { code, output } = await runScript('build.ts', { ...options, arguments: ['--full'] })
  assert.match(output, /^Published: \d+ pages added/m)
  assert.equal(code, 0)
  assert.deepEqual(requests, [{ startedBy: 'command', full: true }])
})

test('a command shows why the server couldn’t publish', async (t) => {
  const { site } = await aWarmSite(t)
  const refuse = () => Promise.reject(new Error('no space'))
  atEnd(t, listenForCommands(site, refuse))
  await assert.rejects(askServer(site, COMMAND, silentProgress), /no space/)
})

test('a command publishes on its own if no server answers', async (t) => {
  const { site } = await aWarmSite(t)
  assert.equal(await askServer(site, COMMAND, silentProgress), undefined)
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const stop = listenForCommands(site, async () => {
    end()
    return new Promise(() => {})
  })
  const asking = askServer(site, COMMAND, silentProgress)
  await ended
  stop()
  assert.equal(await asking, undefined)
})

test('only the owner of DATA_DIR can connect, and a stale socket is removed', async (t) => {
  const { site } = await aWarmSite(t)
  atEnd(
    t,
    listenForCommands(site, async () => undefined),
  )
  const folder = join(site.dataDir, 'run')
  assert.equal(statSync(folder).mode & 0o077, 0)
  const left = join(folder, 'publish-1.sock')
  const server = createServer().listen(left)
  await once(server, 'listening')
  // Its file stays, as after a kill.
  const kept = `${left}.kept`
  renameSync(left, kept)
  server.close()
  await once(server, 'close')
  renameSync(kept, left)
  assert.equal(await askServer(site, COMMAND, silentProgress), undefined)
  assert.equal(existsSync(left), false)
})
