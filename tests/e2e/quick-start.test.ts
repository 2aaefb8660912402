import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parseEnv } from 'node:util'
import { atEnd } from '../support/at-end.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { temporaryFolder } from '../support/database.ts'
import { readProject } from '../support/documentation.ts'
import { skipWithout } from '../support/needed-tool.ts'
import { collectOutput, freePort, startSite, waitFor } from '../support/running-site.ts'

const GUIDE = readProject('docs/quick-start.md')
const PLACES = 10
const SERVICES = 2
/** The port of the guide's receiver, in whose place each run has one of its own. */
const PORT = '8787'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

test('following the quick start gives a site whose receiver verifies a visitor’s lead', {
  skip: skipWithout(hasOpenssl, 'openssl is not installed; .ci/run installs it'),
}, async (t) => {
  const { folder, contentDir, environment } = await followGuide(t)
  const site = await startSite(t, {
    dataDir: temporaryFolder(t),
    contentDir,
    environment,
  })
  const sitemap = await (await fetch(`${site.url}/sitemap-0.xml`)).text()
  assert.match(sitemap, /drain-cleaning\/denver</, 'the page with a text of its own is listed')
  const services = await (await fetch(`${site.url}/services`)).text()
  const pages = new Set(services.match(/\/services\/(?:drain-cleaning|water-heaters)\/[a-z]+/g))
  assert.equal(pages.size, PLACES * SERVICES)

  const said = startReceiver(t, folder)
  await waitFor(() =>
    fetch(`http://127.0.0.1:${portOf(environment)}`, { method: 'POST' }).then(Boolean, () => false),
  )
  await waitFor(() => said().includes('The signature is wrong'))
  const page = await openPage(t, await openBrowser(), { baseURL: site.url })
  await page.goto('/services/drain-cleaning/denver')
  await page.getByLabel('Your name').fill('Maria Sanchez')
  await page.getByLabel('Phone').fill('(303) 555-0102')
  await page.waitForTimeout(MIN_SECONDS * 1_000)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('We call you within two hours.').waitFor()
  await waitFor(() => said().includes('Maria Sanchez'))
  assert.equal(said().split('The signature is wrong').length, 2)
})

/** What a faster visitor counts as spam by. */
const MIN_SECONDS = 2.2

/** Writes the files of the guide, and runs the lines that make the settings. */
async function followGuide(t: TestContext) {
  const folder = temporaryFolder(t)
  const port = `${await freePort()}`
  const own = (text: string) => text.replaceAll(PORT, port)
  const files = [...GUIDE.matchAll(/^`([\w/.-]+)`\n\n```\w+\n(.*?)^```$/gms)]
  assert.equal(files.length, 7)
  for (const [, path = '', text = ''] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), own(text))
  }
  const [, verification = ''] = /^```js\n(.*?)^```$/ms.exec(readProject('docs/webhooks.md')) ?? []
  writeFileSync(join(folder, 'verify-webhook.mjs'), verification)
  const [, settings = ''] = /^```sh\n(echo .*?)^```$/ms.exec(GUIDE) ?? []
  assert.equal(spawnSync('bash', ['-ec', own(settings)], { cwd: folder }).status, 0)
  const written = parseEnv(readFileSync(join(folder, '.env'), 'utf8')) as Record<string, string>
  const { CONTENT_DIR = '', ...environment } = written
  return { folder, contentDir: join(folder, CONTENT_DIR), environment }
}

function portOf({ WEBHOOK_ALLOW }: Record<string, string>): string {
  return WEBHOOK_ALLOW?.split(':')[1] ?? ''
}

/** Runs the guide's receiver as the guide does; call the result to read what it says. */
function startReceiver(t: TestContext, cwd: string): () => string {
  const child = spawn(process.execPath, ['--env-file=.env', 'receiver.mjs'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atEnd(t, () => child.kill())
  return collectOutput(child.stdout)
}
