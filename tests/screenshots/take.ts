import assert from 'node:assert/strict'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { connectSqlite } from '#src/db/connect.ts'
import { findForm } from '#src/forms/form-store.ts'
import { addDailyCounts } from '#src/server/dashboard/daily-count-store.ts'
import { openBrowser } from '../support/browser.ts'
import { temporaryFolder } from '../support/database.ts'
import { startMailServer } from '../support/mail-server.ts'
import { startReceiver } from '../support/receiver.ts'
import {
  EXAMPLE_CONTENT,
  PROJECT_DIR,
  type RunningSite,
  runScript,
  startSite,
} from '../support/running-site.ts'
import { LEADS, type PicturedLead } from './leads.ts'
import { PICTURES } from './pictures.ts'

// Not among the tests of `npm test`: it writes the pictures of the guides. `npm run screenshots`

const FOLDER = join(PROJECT_DIR, 'docs/pictures')
const ACCOUNT = { email: 'office@bluebonnethome.example', password: 'limestone yard road 1218' }
const HOOKS = 'https://hooks.example.com'
const QUALITY = 82
const DAY_MS = 24 * 60 * 60_000
/** From yesterday back. */
const LEADS_ON_PAST_DAYS = [
  7, 5, 3, 2, 6, 8, 9, 4, 6, 3, 2, 5, 7, 6, 5, 4, 2, 1, 6, 5, 8, 4, 3, 2, 2, 5, 4, 6, 3,
]
const MOST_BYTES = 1_000_000

test('takes the screenshots of the guides', async (t) => {
  const site = await startExample(t)
  const browser = await openBrowser()
  mkdirSync(FOLDER, { recursive: true })
  for (const { width, pictures } of [
    { width: 1280, pictures: PICTURES.filter((picture) => !picture.isPhone) },
    { width: 390, pictures: PICTURES.filter((picture) => picture.isPhone) },
  ]) {
    const context = await browser.newContext({ baseURL: site.url, viewport: { width, height: 844 } })
    const page = await context.newPage()
    await signIn(page)
    for (const { name, path, height, prepare } of pictures) {
      await page.setViewportSize({ width, height })
      await page.goto(path, { waitUntil: 'networkidle' })
      await prepare?.(page)
      const png = await page.screenshot({ animations: 'disabled' })
      writeFileSync(join(FOLDER, `${name}.webp`), await sharp(png).webp({ quality: QUALITY }).toBuffer())
    }
    await context.close()
  }
  const sizes = globSync('*', { cwd: FOLDER }).map((file) => readFileSync(join(FOLDER, file)).length)
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) < MOST_BYTES, `${sizes}`)
})

/** The example with some leads that arrived at a receiver on this machine; then its webhooks have the URLs of its files. */
async function startExample(t: TestContext): Promise<RunningSite> {
  const receiver = await startReceiver(t, 200)
  const mail = await startMailServer(t)
  const [dataDir, contentDir] = [temporaryFolder(t), join(temporaryFolder(t), 'content')]
  cpSync(EXAMPLE_CONTENT, contentDir, { recursive: true })
  const file = join(contentDir, 'forms/quote.yaml')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll(HOOKS, receiver.url))
  const environment = { SMTP_URL: mail.url, MAIL_FROM: ACCOUNT.email }
  const site = await startSite(t, { dataDir, contentDir, environment })
  const account = { ADMIN_PASSWORD: ACCOUNT.password }
  const script = { dataDir, contentDir, environment: account }
  await succeed(runScript('admin-create.ts', { ...script, arguments: ['--email', ACCOUNT.email] }))
  for (const lead of LEADS) await post(site, lead)
  await receiver.waitForRequests(LEADS.length)
  await fillPastDays(join(dataDir, 'signpost.db'))
  writeFileSync(file, text)
  changeService(join(contentDir, 'services/drain-cleaning.md'))
  await succeed(runScript('content-sync.ts', script))
  return site
}

/** The charts of a dashboard that is new have one bar. */
async function fillPastDays(file: string) {
  const db = connectSqlite(file)
  const form = await findForm(db, 'quote')
  const days = LEADS_ON_PAST_DAYS.map((count, index) => {
    const day = new Date(Date.now() - (index + 1) * DAY_MS).toISOString().slice(0, 10)
    return [
      { day, series: 'submissions' as const, subject: `${form?.id}`, count },
      { day, series: 'attempts' as const, subject: 'delivered', count },
      { day, series: 'duration' as const, subject: '100', count },
    ]
  })
  await addDailyCounts(db, days.flat())
  await db.destroy()
}

// What there is to publish.
function changeService(file: string) {
  const text = readFileSync(file, 'utf8')
  const changed = text.replace(/^duration: .*$/m, 'duration: About an hour')
  assert.notEqual(changed, text)
  writeFileSync(file, changed)
}

async function succeed(run: ReturnType<typeof runScript>) {
  const { code, output } = await run
  assert.equal(code, 0, output)
}

async function post({ url }: RunningSite, { place, ...answers }: PicturedLead) {
  const response = await fetch(`${url}/api/forms/quote/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...answers, _page: `/services/${answers.service}/${place}` }),
  })
  assert.equal(response.status, 201, await response.text())
}

async function signIn(page: Page) {
  await page.goto('/admin/login')
  await page.getByLabel('Email address').fill(ACCOUNT.email)
  await page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/admin$/)
}
