import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { mkdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../support/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { EXAMPLE_CONTENT, freePort, runScript, startSite, waitFor } from '../support/running-site.ts'

const ANSWERS = { full_name: 'Ann', email: 'ann@example.com', phone: '+1 512 555 0100', role: 'owner' }

/** A site of few pages, with the form for the waitlist and a webhook to that address. */
async function smallContent(t: TestContext, webhookUrl = 'https://crm.example/hook'): Promise<string> {
  const folder = temporaryFolder(t)
  const form = await readFile(join(EXAMPLE_CONTENT, 'forms', 'waitlist.yaml'), 'utf8')
  await mkdir(join(folder, 'forms'))
  await writeFile(
    join(folder, 'forms', 'waitlist.yaml'),
    form.replace(/^webhooks: \[\]$/m, `webhooks:\n  - { name: CRM, url: "${webhookUrl}" }`),
  )
  return folder
}

// The example content in a folder that the test may change.
function ownContent(t: TestContext): string {
  const folder = join(temporaryFolder(t), 'content')
  cpSync(EXAMPLE_CONTENT, folder, { recursive: true })
  return folder
}

function postTo(url: string, answers: object = ANSWERS) {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}/api/forms/waitlist/submissions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(answers),
  })
}

test('killed with kill -9 while a delivery is waiting, the next start delivers it within 5 s', async (t) => {
  const receiver = await startReceiver(t, 500, 200)
  const dataDir = temporaryFolder(t)
  const contentDir = await smallContent(t, receiver.url)
  const environment = { WEBHOOK_RETRY_SCHEDULE: '1s' }
  const site = await startSite(t, { dataDir, contentDir, environment })
  assert.equal((await postTo(site.url)).status, 201)
  await receiver.waitForRequests(1)
  await site.end('SIGKILL')

  await startSite(t, { dataDir, contentDir, environment })
  const startedAt = performance.now()
  const [first, second] = await receiver.waitForRequests(2)
  assert.ok(performance.now() - startedAt < 5_000)
  assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id'])
  assert.equal(second?.body, first?.body)
})

test('killed in the middle of an attempt, the next start makes it again within 5 s', async (t) => {
  const receiver = await startReceiver(t, () => {}, 200)
  const dataDir = temporaryFolder(t)
  const contentDir = await smallContent(t, receiver.url)
  const site = await startSite(t, { dataDir, contentDir })
  assert.equal((await postTo(site.url)).status, 201)
  await receiver.waitForRequests(1)
  await site.end('SIGKILL')

  await startSite(t, { dataDir, contentDir })
  const startedAt = performance.now()
  await receiver.waitForRequests(2)
  assert.ok(performance.now() - startedAt < 5_000)
})

// What the process itself worked so far, whatever else the machine does; on Linux only.
async function processorMs({ pid }: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  const [user, system] = stat?.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number) ?? []
  return user === undefined || system === undefined ? Number.POSITIVE_INFINITY : (user + system) * 10
}

test('started again with nothing changed, it answers /health within 2 s, and SIGTERM ends it', async (t) => {
  const dataDir = temporaryFolder(t)
  const port = await freePort()
  const first = await startSite(t, { dataDir, port })
  assert.equal(await first.end('SIGTERM'), 0)
  const startedAt = performance.now()
  const second = await startSite(t, { dataDir, port })
  assert.equal((await fetch(`${second.url}/health`)).status, 200)
  const times = [performance.now() - startedAt, await processorMs(second.process)]
  // On a busy machine the clock alone tells of its neighbours.
  assert.ok(Math.min(...times) < 2_000, `${times.join(' ms, of a processor ')} ms`)
})

test('editing one service and building again changes exactly the pages that show it, for visitors too', async (t) => {
  const dataDir = temporaryFolder(t)
  const contentDir = ownContent(t)
  const site = await startSite(t, { dataDir, contentDir })
  const options = { dataDir, contentDir, port: Number(new URL(site.url).port) }
  const file = join(contentDir, 'services', 'slab-leak-repair.md')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace(/^price_from: .*$/m, 'price_from: "$999 for the test"'))

  const planned = await runScript('build.ts', { ...options, arguments: ['--dry-run'] })
  const before = await readlink(join(dataDir, 'current'))
  const built = await runScript('build.ts', options)
  assert.match(built.output, /Published: 0 pages added, 39 changed, 0 removed/)
  assert.notEqual(await readlink(join(dataDir, 'current')), before)
  const changed = [...planned.output.matchAll(/^changed +(\/\S*)$/gm)].map(([, path]) => path)
  // The service's own page, its 36 places, the home page and the list.
  assert.equal(changed.length, 39)
  assert.ok(changed.includes('/services/slab-leak-repair/frisco'))
  await waitFor(async () =>
    (await (await fetch(`${site.url}/services/slab-leak-repair/frisco`)).text()).includes(
      '$999 for the test',
    ),
  )
  assert.ok((await (await fetch(`${site.url}/services`)).text()).includes('$999 for the test'))
  assert.ok(!(await (await fetch(`${site.url}/services/ac-repair`)).text()).includes('$999 for the test'))
})

test('a mistake in content stops the build with file and line, and leaves site and database as they are', async (t) => {
  const dataDir = temporaryFolder(t)
  const contentDir = await smallContent(t)
  assert.equal((await runScript('build.ts', { dataDir, contentDir })).code, 0)
  const before = await readlink(join(dataDir, 'current'))
  await mkdir(join(contentDir, 'services'))
  await writeFile(
    join(contentDir, 'services', 'ac-repair.md'),
    '---\ntitle: AC\noffered_in: [atlantis]\n---\n',
  )
  const { code, output } = await runScript('build.ts', { dataDir, contentDir })
  assert.equal(code, 1)
  assert.match(output, /services\/ac-repair\.md:3: .*atlantis/)
  assert.equal(await readlink(join(dataDir, 'current')), before)
})

test('a dry run in an empty folder lists every page and leaves no database', async (t) => {
  const dataDir = temporaryFolder(t)
  const { code, output } = await runScript('build.ts', { dataDir, arguments: ['--dry-run'] })
  assert.equal(code, 0)
  assert.match(output, /Would be published: 393 pages added/)
  assert.equal(existsSync(join(dataDir, 'signpost.db')), false)
  assert.equal(existsSync(join(dataDir, 'releases')), false)
})

test('a page at an address of the program, or of another page, is a mistake of its file', async (t) => {
  const dataDir = temporaryFolder(t)
  const contentDir = await smallContent(t)
  await mkdir(join(contentDir, 'pages'))
  for (const slug of ['index', 'services', 'admin']) {
    await writeFile(join(contentDir, 'pages', `${slug}.md`), '---\ntitle: Mine\n---\n')
  }
  const { code, output } = await runScript('content-sync.ts', { dataDir, contentDir })
  assert.equal(code, 1)
  for (const slug of ['index', 'services', 'admin'])
    assert.match(output, new RegExp(`pages/${slug}\\.md:1: the address /${slug}`))
})

test('a second server on the same SQLite file is refused', async (t) => {
  const dataDir = temporaryFolder(t)
  await startSite(t, { dataDir, contentDir: await smallContent(t) })
  const { code, output } = await runScript('start.ts', { dataDir, port: await freePort() })
  assert.equal(code, 1)
  assert.match(output, /^Another Signpost server uses this database/)
})

test('a wrong variable stops the start with one sentence', async (t) => {
  const { code, output } = await runScript('start.ts', {
    dataDir: temporaryFolder(t),
    environment: { PORT: 'x' },
  })
  assert.equal(code, 1)
  assert.match(output, /^PORT is "x"; expected a port number/)
  assert.equal(output.trim().split('\n').length, 1)
})

test('a port that is taken stops the start with one sentence', async (t) => {
  const dataDir = temporaryFolder(t)
  const site = await startSite(t, { dataDir: temporaryFolder(t), contentDir: await smallContent(t) })
  const port = Number(new URL(site.url).port)
  const { code, output } = await runScript('start.ts', { dataDir, port })
  assert.equal(code, 1)
  assert.match(output, new RegExp(`port ${port}`, 'i'))
})
