import assert from 'node:assert/strict'
import { cpSync, existsSync } from 'node:fs'
import { mkdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { suggestedAnswers } from '#scripts/new/answers.ts'
import { siteContent } from '#scripts/new/site-content.ts'
import { assertWithin } from '../support/assert-within.ts'
import { temporaryFolder } from '../support/database.ts'
import { aPartOfTheExample } from '../support/part-of-example.ts'
import { startReceiver } from '../support/receiver.ts'
import { EXAMPLE_CONTENT, freePort, runScript, startSite, waitFor } from '../support/running-site.ts'
import { printFigure, soakLength } from '../support/soak.ts'

/** The promise; short runs share the machine. */
const RECOVERY_MS = soakLength(10_000, 5_000)
const ANSWERS = { full_name: 'Ann', email: 'ann@example.com', phone: '+1 512 555 0100', role: 'owner' }

/** Without what makes starts quicker in tests: how long one takes is a promise. */
const AS_EVERYBODY = { NODE_OPTIONS: '' }

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

test('after kill -9 with a pending delivery, the next start delivers it within 5 s', async (t) => {
  const receiver = await startReceiver(t, 500, 200)
  const dataDir = temporaryFolder(t)
  const contentDir = await smallContent(t, receiver.url)
  const environment = { WEBHOOK_RETRY_SCHEDULE: '1s', ...AS_EVERYBODY }
  const site = await startSite(t, { dataDir, contentDir, environment })
  assert.equal((await postTo(site.url)).status, 201)
  await receiver.waitForRequests(1)
  await site.end('SIGKILL')

  const startedAt = performance.now()
  await startSite(t, { dataDir, contentDir, environment })
  const [first, second] = await receiver.waitForRequests(2)
  checkRecovery(t, startedAt)
  assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id'])
  assert.equal(second?.body, first?.body)
})

test('after kill -9 in the middle of an attempt, the next start repeats it within 5 s', async (t) => {
  const receiver = await startReceiver(t, () => {}, 200)
  const dataDir = temporaryFolder(t)
  const contentDir = await smallContent(t, receiver.url)
  const site = await startSite(t, { dataDir, contentDir })
  assert.equal((await postTo(site.url)).status, 201)
  await receiver.waitForRequests(1)
  await site.end('SIGKILL')

  const startedAt = performance.now()
  await startSite(t, { dataDir, contentDir, environment: AS_EVERYBODY })
  await receiver.waitForRequests(2)
  checkRecovery(t, startedAt)
})

function checkRecovery(t: TestContext, startedAt: number) {
  const tookMs = performance.now() - startedAt
  assertWithin(tookMs, RECOVERY_MS)
  printFigure(t, `sent ${Math.round(tookMs)} ms after the command to start`)
}

// What a process worked so far, whatever else the machine does; on Linux only.
async function processorMs(pid: number | undefined): Promise<number> {
  return (await processorTimes(pid)).own
}

async function processorTimes(pid: number | 'self' | undefined): Promise<{ own: number; ended: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return { own: Number.POSITIVE_INFINITY, ended: 0 }
  const ticks = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 16).map(Number)
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = ticks
  return { own: (user + system) * 10, ended: (endedUser + endedSystem) * 10 }
}

// What a process works that loads the program and does nothing.
async function whatItTakesToLoad(options: Parameters<typeof runScript>[1]): Promise<number> {
  const { ended: before } = await processorTimes('self')
  const { code } = await runScript('start.ts', {
    ...options,
    environment: AS_EVERYBODY,
    arguments: ['--help'],
  })
  assert.equal(code, 0)
  const { ended } = await processorTimes('self')
  return ended - before
}

test('the example, edited, and started again', async (t) => {
  const dataDir = temporaryFolder(t)
  const contentDir = ownContent(t)
  const options = { dataDir, contentDir, port: await freePort() }
  const site = await startSite(t, options)

  await t.test(
    'an edited service, built again, changes exactly the pages that show it, for visitors too',
    async () => {
      const page = async (path: string) => (await fetch(site.url + path)).text()
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
        (await page('/services/slab-leak-repair/frisco')).includes('$999 for the test'),
      )
      assert.ok((await page('/services')).includes('$999 for the test'))
      assert.ok(!(await page('/services/ac-repair')).includes('$999 for the test'))
    },
  )

  await t.test(
    'started again with nothing changed, it answers /health within 2 s, and SIGTERM ends it',
    async (t) => {
      assert.equal(await site.end('SIGTERM'), 0)
      const loadingMs = await whatItTakesToLoad(options)
      const startedAt = performance.now()
      const second = await startSite(t, { ...options, environment: AS_EVERYBODY })
      assert.equal((await fetch(`${second.url}/health`)).status, 200)
      const workedMs = await processorMs(second.process.pid)
      const tookMs = performance.now() - startedAt
      // A slow or busy machine also loads the program slowly.
      const limitMs = Math.max(2_000, 2 * loadingMs)
      assert.ok(
        Math.min(tookMs, workedMs) < limitMs,
        `${tookMs} ms, of a processor ${workedMs} ms, > ${limitMs}`,
      )
    },
  )
})

test('a content error stops the build with file and line and leaves site and database unchanged', async (t) => {
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

test('a dry run in an empty folder lists every page and writes nothing', async (t) => {
  const dataDir = temporaryFolder(t)
  const environment = { DATA_DIR: join(dataDir, 'new') }
  const options = { dataDir, contentDir: aPartOfTheExample(t), environment }
  const { code, output } = await runScript('build.ts', { ...options, arguments: ['--dry-run'] })
  assert.equal(code, 0)
  const listed = output.match(/^added +\/.*$/gm)?.length ?? 0
  assert.ok(listed > 20, output)
  assert.match(output, new RegExp(`Would publish: ${listed} pages added`))
  assert.equal(existsSync(environment.DATA_DIR), false)
})

test('a build counts the local pages missing from search, and a dry run lists them with advice', async (t) => {
  const contentDir = temporaryFolder(t)
  for (const [path, text] of Object.entries(siteContent(suggestedAnswers()))) {
    await mkdir(dirname(join(contentDir, path)), { recursive: true })
    await writeFile(join(contentDir, path), text)
  }
  const options = { dataDir: temporaryFolder(t), contentDir }
  const advice = /^ +\d+ {2}\/services\/\S+: .*\(up to \+\d+\)/m
  const built = await runScript('build.ts', options)
  assert.match(
    built.output,
    /^Quality: \d of 6 local pages .*\n.* open \/admin\/coverage\/quality\. .*--dry-run$/m,
  )
  assert.doesNotMatch(built.output, advice)
  const planned = await runScript('build.ts', { ...options, arguments: ['--dry-run'] })
  assert.match(planned.output, advice)
})

test('shards rendered with --shard are published and copied with --join and --out', async (t) => {
  const options = { dataDir: temporaryFolder(t), contentDir: await smallContent(t) }
  assert.equal((await runScript('content-sync.ts', options)).code, 0)
  const parts = [join(options.dataDir, 'one'), join(options.dataDir, 'two')]
  const shards = await Promise.all(
    parts.map((folder, index) =>
      runScript('build.ts', { ...options, arguments: ['--shard', `${index + 1}/2`, '--to', folder] }),
    ),
  )
  const [first = 0, second = 0] = shards.map(({ output }) =>
    Number(/^Wrote (\d+) pages? to /m.exec(output)?.[1]),
  )
  const out = join(options.dataDir, 'out')
  const joining = parts.flatMap((folder) => ['--join', folder])
  const { output } = await runScript('build.ts', { ...options, arguments: [...joining, '--out', out] })
  const pages = Number(/^Published: (\d+) pages added/m.exec(output)?.[1])
  assert.ok(pages > 0 && first + second === pages, `${first} + ${second} of ${pages}`)
  assert.ok(existsSync(join(out, 'site/forms/waitlist.html')))
})

test('a page at a reserved or taken address is an error in its file', async (t) => {
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

test('beside a running server', async (t) => {
  const dataDir = temporaryFolder(t)
  const contentDir = await smallContent(t)
  const site = await startSite(t, { dataDir, contentDir })

  await t.test('a port in use stops the start with a one-sentence error', async (t) => {
    const port = Number(new URL(site.url).port)
    const { code, output } = await runScript('start.ts', { dataDir: temporaryFolder(t), port })
    assert.equal(code, 1)
    assert.match(output, new RegExp(`port ${port} .* is in use.* set PORT`, 'i'))
    const environment = { METRICS_PORT: String(port) }
    const settings = { dataDir: temporaryFolder(t), port: await freePort(), environment }
    const metrics = await runScript('start.ts', settings)
    assert.equal(metrics.code, 1)
    assert.match(metrics.output, new RegExp(`port ${port} .* is in use.* set METRICS_PORT`, 'i'))
  })

  await t.test(
    'a second on the same SQLite file is refused; the first publishes what is due by itself',
    async (t) => {
      await mkdir(join(contentDir, 'pages'))
      const due = `---\ntitle: Sale\npublish_at: ${new Date().toISOString()}\n---\n`
      await writeFile(join(contentDir, 'pages/sale.md'), due)
      assert.equal((await runScript('content-sync.ts', { dataDir, contentDir })).code, 0)
      const { code, output } = await runScript('start.ts', { dataDir, port: await freePort() })
      assert.equal(code, 1)
      assert.match(output, /^Another Signpost server uses this database/)
      printFigure(t, '1 of 1 refused, exit status 1')
      await waitFor(async () => (await fetch(`${site.url}/sale`)).status === 200, 60_000)
    },
  )
})

test('an invalid variable stops the start with a one-sentence error', async (t) => {
  const { code, output } = await runScript('start.ts', {
    dataDir: temporaryFolder(t),
    environment: { PORT: 'x' },
  })
  assert.equal(code, 1)
  assert.match(output, /^PORT is "x"; expected a port number/)
  assert.equal(output.trim().split('\n').length, 1)
})
