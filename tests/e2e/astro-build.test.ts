import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, globSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { request as openRequest } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connectDatabase } from '#src/db/connect.ts'
import { atEnd } from '../support/at-end.ts'
import { temporaryFolder } from '../support/database.ts'
import {
  collectOutput,
  EXAMPLE_CONTENT,
  freePort,
  PROJECT_DIR,
  runScript,
  scriptEnvironment,
  waitFor,
} from '../support/running-site.ts'
import { PNG } from '../support/uploads.ts'

// Pages that the example has none of: of its own type, of a taxonomy, and one that is not published.
const FURTHER_FILES = {
  'content_types/projects.yaml':
    'name: Projects\nis_routable: true\nroute_pattern: /jobs/{slug}\nsort_order: 50\n',
  'projects/new-roof.md': '---\ntitle: A new roof\nstatus: published\n---\n\nOn a *barn*.\n',
  'projects/secret.md': '---\ntitle: Not yet\nstatus: draft\n---\n\nComing.\n',
}
const FILE_FIELD = '  - { name: photo, type: file, label: Photo }\n'
const BOUNDARY = 'signpost-test'

type Build = Awaited<ReturnType<typeof aBuiltSite>>

test('npx astro build makes the same bytes as a publish and a server that accepts forms', async (t) => {
  const build = await aBuiltSite(t)
  const { url, metricsPort, output } = await startBuilt(t, build)

  await t.test('every file of the site is the same', () => {
    const published = filesBelow(join(build.dataDir, 'current', 'site'))
    const built = filesBelow(join(build.outDir, 'client'))
    assert.deepEqual([...built.keys()], [...published.keys()])
    const pages = [...built.keys()].filter((file) => file.endsWith('.html'))
    assert.ok(pages.length > 400, `${pages.length} pages`)
    for (const page of ['jobs/new-roof.html', 'taxonomy/service_categories/plumbing.html', '404.html'])
      assert.ok(built.has(page), page)
    const others = [...built].filter(([file, bytes]) => !published.get(file)?.equals(bytes))
    assert.deepEqual(
      others.map(([file]) => file),
      [],
    )
  })

  await t.test('node server/entry.mjs serves the pages, and refuses what npm start refuses', async () => {
    const page = await fetch(`${url}/services/ac-repair/austin`)
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.equal(
      await page.text(),
      await readFile(join(build.outDir, 'client/services/ac-repair/austin.html'), 'utf8'),
    )
    assert.equal((await fetch(`${url}/nowhere`)).status, 404)
    assert.equal((await fetch(`${url}/admin/login`)).status, 200)
    const elsewhere = { origin: 'https://elsewhere.example' }
    assert.equal((await post(url, 'full_name=Ann', elsewhere)).status, 403)
  })

  await t.test('it prints the setup link and serves metrics, as npm start does', async () => {
    const [, link = ''] = output().match(/^Create the first account: http:\/\/localhost:\d+(\/\S+)$/m) ?? []
    assert.equal((await fetch(url + link)).status, 200)
    const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
    assert.match(await metrics.text(), /^signpost_queue_waiting 0$/m)
  })

  await t.test('its Astro endpoint stores posts and shows errors on the form’s page', async () => {
    const answers = { full_name: 'Ann', email: 'ann@example.com', phone: '(512) 555-0100', role: 'owner' }
    const id = randomUUID()
    const body = JSON.stringify({ ...answers, _id: id })
    const first = await post(url, body, { 'content-type': 'application/json' })
    assert.equal(first.status, 201)
    const again = await post(url, body, { 'content-type': 'application/json' })
    assert.equal(again.status, 200)
    assert.equal((await again.json()).id, (await first.json()).id)
    const mistaken = await post(url, 'full_name=Ann&email=nope', { accept: 'text/html' })
    assert.equal(mistaken.status, 422)
    const html = await mistaken.text()
    assert.match(html, /role="alert"[\s\S]*Enter an email address/)
    const stylesheets = /<link rel="stylesheet" href="([^"]+)">/g
    const static_ = await readFile(join(build.outDir, 'client/forms/waitlist.html'), 'utf8')
    assert.deepEqual(
      [...html.matchAll(stylesheets)].map(String),
      [...static_.matchAll(stylesheets)].map(String),
    )
    assert.equal((await post(url, 'a=b', {}, 'nope')).status, 404)
  })

  await t.test('its Astro endpoint streams uploads to disk', async (t) => {
    const path = '/api/forms/waitlist/submissions'
    const headers = {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      accept: 'application/json',
    }
    const upload = openRequest(url + path, { method: 'POST', headers })
    const fields = { full_name: 'Ann', email: 'ann@example.com', phone: '(512) 555-0100', role: 'owner' }
    for (const [name, value] of Object.entries(fields)) upload.write(part(name, value))
    const photo = Buffer.concat([PNG, Buffer.alloc(500_000)])
    upload.write(part('photo"; filename="roof.png', ''))
    upload.write(photo)
    await waitFor(() => uploadedBytes(build.dataDir) >= photo.length / 2)
    upload.end(`\r\n--${BOUNDARY}--\r\n`)
    const [answer] = await once(upload, 'response')
    assert.equal(answer.statusCode, 201)
    answer.resume()
    const db = connectDatabase(`file:${join(build.dataDir, 'signpost.db')}`)
    atEnd(t, () => db.destroy())
    const rows = await db.selectFrom('uploads').select(['name', 'size']).execute()
    assert.deepEqual(rows, [{ name: 'roof.png', size: photo.length }])
  })
})

test('npx astro build without a database says what to do', async (t) => {
  const { code, output } = await runAstroBuild(t, { dataDir: temporaryFolder(t) })
  assert.equal(code, 1)
  assert.match(output, /There is no database yet\. Run npm start to create it/)
})

/** The example with a few files more, published and built from the same database. */
async function aBuiltSite(t: TestContext) {
  const options = { dataDir: temporaryFolder(t), contentDir: await ownContent(t), port: await freePort() }
  const published = await runScript('build.ts', options)
  assert.equal(published.code, 0, published.output)
  const built = await runAstroBuild(t, options)
  assert.equal(built.code, 0, built.output)
  return { ...options, outDir: built.outDir }
}

async function ownContent(t: TestContext): Promise<string> {
  const folder = join(temporaryFolder(t), 'content')
  cpSync(EXAMPLE_CONTENT, folder, { recursive: true })
  for (const [path, text] of Object.entries(FURTHER_FILES)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const taxonomy = join(folder, 'taxonomies/service_categories.yaml')
  await writeFile(taxonomy, (await readFile(taxonomy, 'utf8')).replace('archive: false', 'archive: true'))
  const form = join(folder, 'forms/waitlist.yaml')
  await writeFile(form, (await readFile(form, 'utf8')).replace(/^fields:\n/m, `fields:\n${FILE_FIELD}`))
  return folder
}

// In the project, because what its server imports is found from there.
async function runAstroBuild(
  t: TestContext,
  options: { dataDir: string; contentDir?: string; port?: number },
) {
  const outDir = join(PROJECT_DIR, 'dist', `astro-build-${randomUUID()}`)
  atEnd(t, () => rm(outDir, { recursive: true, force: true }))
  const child = spawn(process.execPath, ['node_modules/astro/bin/astro.mjs', 'build', '--outDir', outDir], {
    cwd: PROJECT_DIR,
    env: { ...scriptEnvironment(options), ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collectOutput(child.stdout, child.stderr)
  const [code] = await once(child, 'close')
  return { code: code as number | null, output: output(), outDir }
}

async function startBuilt(t: TestContext, build: Build) {
  const metricsPort = await freePort()
  const child = spawn(process.execPath, [join(build.outDir, 'server/entry.mjs')], {
    cwd: PROJECT_DIR,
    env: { ...scriptEnvironment(build), METRICS_PORT: `${metricsPort}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collectOutput(child.stdout, child.stderr)
  atEnd(t, async () => {
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    await closed
  })
  await waitFor(() => output().includes('/admin/') || child.exitCode !== null, 30_000)
  assert.equal(child.exitCode, null, output())
  return { url: `http://127.0.0.1:${build.port}`, metricsPort, output }
}

function post(url: string, body: string, headers: Record<string, string> = {}, form = 'waitlist') {
  return fetch(`${url}/api/forms/${form}/submissions`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    redirect: 'manual',
  })
}

function part(name: string, value: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}${name.includes('filename') ? '' : '\r\n'}`
}

// By path. The admin's assets are in no release; `lastmod` is when a page was published, or built.
function filesBelow(folder: string): Map<string, Buffer> {
  const files = globSync('**/*', { cwd: folder, exclude: ['_admin/**', '_admin'] })
    .filter((file) => statSync(join(folder, file)).isFile())
    .sort()
  return new Map(files.map((file) => [file, withoutMoments(readFileSync(join(folder, file)), file)]))
}

function withoutMoments(bytes: Buffer, file: string): Buffer {
  if (!file.endsWith('.xml')) return bytes
  return Buffer.from(bytes.toString().replace(/<lastmod>[^<]+/g, '<lastmod>'))
}

function uploadedBytes(dataDir: string): number {
  const files = globSync('uploads/**/*', { cwd: dataDir }).map((file) => statSync(join(dataDir, file)))
  return files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0)
}
