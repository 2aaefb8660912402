import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { atEnd } from '../support/at-end.ts'
import { temporaryFolder } from '../support/database.ts'
import { startMailServer } from '../support/mail-server.ts'
import { ownEnvironment } from '../support/own-environment.ts'
import { EXAMPLE_CONTENT, freePort, PROJECT_DIR, runScript, waitFor } from '../support/running-site.ts'

test('npm run dev serves pages, accepts forms, emails leads, and shows edits as soon as they are saved', async (t) => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const contentDir = join(temporaryFolder(t), 'content')
  cpSync(EXAMPLE_CONTENT, contentDir, { recursive: true })
  const mailServer = await startMailServer(t)
  // As `data` does, it lies in the project, where Vite finds files.
  const dataDir = mkdtempSync(join(PROJECT_DIR, 'node_modules', '.development-'))
  atEnd(t, () => rmSync(dataDir, { recursive: true, force: true }))
  const environment = {
    ...{ SMTP_URL: mailServer.url, MAIL_FROM: 'forms@example.com', ADMIN_HOST: 'admin.example.com' },
    DATA_DIR: dataDir,
    CONTENT_DIR: contentDir,
    PORT: String(port),
    SITE_URL: url,
  }
  const start = (settings: NodeJS.ProcessEnv) =>
    spawn(process.execPath, ['scripts/dev.ts'], {
      cwd: PROJECT_DIR,
      env: ownEnvironment({ ...settings, ASTRO_TELEMETRY_DISABLED: '1' }),
      stdio: 'ignore',
    })
  const child = start(environment)
  atEnd(t, async () => {
    const closed = once(child, 'close')
    child.kill()
    await closed
  })
  const page = (path: string) => fetch(url + path, { headers: { accept: 'text/html' } })
  await waitFor(
    () =>
      page('/').then(
        (response) => response.ok,
        () => false,
      ),
    60_000,
  )

  assert.match(await (await page('/services/ac-repair/austin')).text(), /<h1[^>]*>[^<]*Austin/)
  const second = start({ ...environment, PORT: String(await freePort()) })
  atEnd(t, () => void second.kill())
  assert.deepEqual(await once(second, 'close'), [1, null], 'a second server with this database ends')
  assert.equal((await page('/nothing')).status, 404)
  assert.equal((await fetch(`${url}/api/visits`, { method: 'POST' })).status, 204)
  const dataPath = `/node_modules/${basename(dataDir)}`
  for (const name of ['signpost.db', 'secret.key', 'machine', 'SIGNPOST.DB'])
    assert.notEqual((await page(`${dataPath}/${name}`)).status, 200, name)
  const admin = await askAt('admin.example.com', port)
  assert.deepEqual([admin, (await page('/admin/login')).status], [200, 404])
  const body = new URLSearchParams({ full_name: 'Ann', email: 'nope' })
  const headers = { accept: 'text/html' }
  const mistaken = await fetch(`${url}/api/forms/waitlist/submissions`, { method: 'POST', body, headers })
  assert.equal(mistaken.status, 422)
  assert.match(await mistaken.text(), /role="alert"/)

  const answers = {
    ...{ full_name: 'Ann', email: 'ann@example.com', phone: '(512) 555-0100' },
    ...{ service: 'ac-repair', property_type: 'house' },
  }
  const lead = JSON.stringify({ ...answers, _page: '/services/ac-repair/austin' })
  const posted = { method: 'POST', body: lead, headers: { 'content-type': 'application/json' } }
  const accepted = await fetch(`${url}/api/forms/quote/submissions`, posted)
  assert.equal(accepted.status, 201, await accepted.text())
  await waitFor(() => mailServer.received.length === 1)
  assert.match(mailServer.received[0]?.raw ?? '', /^Subject: [^\r]+ in Austin: Ann, \(512\) 555-0100\r$/m)

  const file = join(contentDir, 'services', 'ac-repair.md')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace(/^title: .*$/m, 'title: Cooling'))
  await waitFor(async () =>
    (await (await page('/services/ac-repair/plano')).text()).includes('Cooling in Plano'),
  )
})

async function askAt(host: string, port: number): Promise<number | undefined> {
  const sent = request({ host: '127.0.0.1', port, path: '/admin/login', headers: { host } }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

test('contract §1 npm run dev with an argument it does not know is wrong usage', async (t) => {
  const { code, output } = await runScript('dev.ts', { dataDir: temporaryFolder(t), arguments: ['--foo'] })
  assert.equal(code, 2)
  assert.match(output, /--foo[\s\S]*Usage: npm run dev\n$/)
})
