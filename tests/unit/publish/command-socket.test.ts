import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { type Progress, silentProgress } from '#src/lib/progress.ts'
import { askServer, listenForCommands } from '#src/publish/warm/command-socket.ts'
import type { PublishRequest } from '#src/publish/warm/warm-calls.ts'
import { atEnd } from '../../support/at-end.ts'
import { temporaryFolder } from '../../support/database.ts'
import { waitFor } from '../../support/running-site.ts'

const COMMAND = { startedBy: 'command' } as const
const OUTCOME = { kind: 'published', changeId: 7 }

type Publish = (request: PublishRequest, progress: Progress) => Promise<unknown>

function aSite(t: TestContext, name = 'data') {
  const dataDir = join(temporaryFolder(t), name)
  const site = { projectDir: '/p', dataDir, siteUrl: 'https://example.com', databaseUrl: 'file:a' }
  const folder = join(dataDir, 'run')
  const listen = async (publish: Publish) => {
    const stop = listenForCommands(site, publish as Parameters<typeof listenForCommands>[1])
    atEnd(t, stop)
    await waitFor(() => existsSync(folder) && readdirSync(folder).length > 0)
    return stop
  }
  return { site, folder, listen }
}

test('a server publishes for commands about its own site', async (t) => {
  const { site, listen } = aSite(t)
  const requests: PublishRequest[] = []
  await listen(async (request, progress) => {
    requests.push(request)
    progress.phase({ code: 'comparing' } as never)
    progress.update(1, 2)
    progress.finish()
    return OUTCOME
  })
  const steps: unknown[] = []
  const progress: Progress = {
    phase: ({ code }) => steps.push(code),
    update: (done, total) => steps.push([done, total]),
    finish: () => steps.push('done'),
  }
  assert.deepEqual(await askServer(site, { ...COMMAND, full: true }, progress), OUTCOME)
  assert.deepEqual(requests, [{ startedBy: 'command', full: true }])
  assert.deepEqual(steps.slice(0, 2), ['comparing', [1, 2]])
  for (const key of ['projectDir', 'siteUrl', 'databaseUrl'])
    assert.equal(await askServer({ ...site, [key]: 'other' }, COMMAND, silentProgress), undefined, key)
  assert.equal(await askServer({ ...site, dataDir: '/other' }, COMMAND, silentProgress), undefined)
  assert.equal(requests.length, 1)
})

test('a server that shuts down or fails says so', async (t) => {
  const { site, listen } = aSite(t)
  assert.equal(await askServer(site, COMMAND, silentProgress), undefined)
  let publish: Publish = async () => undefined
  const stop = await listen((...given) => publish(...given))
  assert.equal(await askServer(site, COMMAND, silentProgress), undefined)
  publish = () => Promise.reject(new Error('no space'))
  await assert.rejects(askServer(site, COMMAND, silentProgress), { message: 'no space' })
  const begun = Promise.withResolvers<void>()
  publish = () => {
    begun.resolve()
    return new Promise(() => {})
  }
  const asking = askServer(site, COMMAND, silentProgress)
  await begun.promise
  stop()
  assert.equal(await asking, undefined)
})

test('a connection that doesn’t speak JSON is closed, and a question may arrive in parts', async (t) => {
  const { site, folder, listen } = aSite(t)
  await listen(async () => OUTCOME)
  const [name = ''] = readdirSync(folder)
  const connect = () => createConnection(join(folder, name))
  const wrong = connect()
  wrong.write('hello\n')
  assert.equal(await text(wrong).catch(() => ''), '')
  const slow = connect()
  const question = `${JSON.stringify({ site, request: COMMAND })}\n`
  slow.write(question.slice(0, 20))
  await new Promise((resolve) => setImmediate(resolve))
  slow.write(question.slice(20))
  assert.deepEqual(JSON.parse(await text(slow)), { kind: 'done', outcome: OUTCOME })
})

test('no socket is made where its path would be too long, and other files are no sockets', async (t) => {
  const long = aSite(t, 'x'.repeat(100))
  atEnd(
    t,
    listenForCommands(long.site, async () => undefined),
  )
  assert.ok(!existsSync(long.folder))
  const { site, folder } = aSite(t)
  mkdirSync(folder, { recursive: true })
  for (const name of ['publish-1.sock.tmp', 'other-1.sock', 'publish-x.sock'])
    writeFileSync(join(folder, name), '')
  assert.equal(await askServer(site, COMMAND, silentProgress), undefined)
  assert.equal(readdirSync(folder).length, 3)
})
