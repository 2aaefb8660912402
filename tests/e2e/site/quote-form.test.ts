import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { connectDatabase } from '#src/db/connect.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { temporaryFolder } from '../../support/database.ts'
import { aPartOfTheExample } from '../../support/part-of-example.ts'
import { startReceiver } from '../../support/receiver.ts'
import { startSite, waitFor } from '../../support/running-site.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

// A part of the example content with one webhook of the quote form that fires for Texas and has a secret.
async function contentWithWebhook(t: TestContext, url: string) {
  const folder = aPartOfTheExample(t)
  const file = join(folder, 'forms', 'quote.yaml')
  const form = (await readFile(file, 'utf8')).replace(/^webhooks:[\s\S]*$/m, '')
  const webhook = [
    'webhooks:',
    '  - name: Texas office',
    `    url: ${url}`,
    '    signing_secret: ${TEXAS_SECRET}',
    '    fire_on: { field: meta.location_slug, op: within, value: texas }',
    '  - name: Oklahoma office',
    `    url: ${url}`,
    '    fire_on: { field: meta.location_slug, op: within, value: oklahoma }',
  ]
  await writeFile(file, `${form}${webhook.join('\n')}\n`)
  return folder
}

test('a visitor without JavaScript sends the quote form of a location page and a signed webhook arrives', async (t) => {
  const receiver = await startReceiver(t)
  const dataDir = temporaryFolder(t)
  const contentDir = await contentWithWebhook(t, receiver.url)
  const site = await startSite(t, { dataDir, contentDir, environment: { TEXAS_SECRET: SECRET } })
  const browser = await openBrowser()
  const page = await openPage(t, browser, { javaScriptEnabled: false })

  await page.goto(`${site.url}/services/ac-repair/hyde-park`)
  await page.locator('[name=full_name]').fill('Ana María')
  await page.locator('[name=email]').fill('ana@example.com')
  await page.locator('[name=phone]').fill('(512) 555-0123')
  await page.locator('[name=service]').selectOption('ac-repair')
  await page.locator('[name=property_type][value=business]').check()
  await page.locator('[name=extras]').first().check()
  await page.locator('[name=budget]').fill('450')
  await page.getByRole('button', { name: 'Send' }).click()

  assert.equal(new URL(page.url()).pathname, '/forms/quote/thanks')
  const [request] = await receiver.waitForRequests(1)
  assert.ok(request)
  const { body } = request
  new Webhook(SECRET).verify(body, request.headers as Record<string, string>)
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  assert.equal(
    request.headers['x-signature'],
    `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
  )
  const { data } = JSON.parse(body)
  assert.equal(data.meta.location_slug, 'hyde-park')
  assert.equal(data.meta.location_path, 'united-states/texas/austin/hyde-park')
  assert.equal(data.meta.service_slug, 'ac-repair')

  const db = connectDatabase(`file:${join(dataDir, 'signpost.db')}`)
  t.after(() => db.destroy())
  await waitFor(
    async () =>
      (await db.selectFrom('webhook_deliveries').select('id').where('status', '=', 'delivered').execute())
        .length > 0,
  )
  const row = await db.selectFrom('form_submissions').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual(JSON.parse(row.data_json), data.submission.answers)
  assert.deepEqual(JSON.parse(row.data_json), {
    full_name: 'Ana María',
    email: 'ana@example.com',
    phone: '(512) 555-0123',
    service: 'ac-repair',
    property_type: 'business',
    extras: ['pets'],
    budget: 450,
    preferred_date: null,
    details: null,
    photo: null,
    call_back: false,
    source: 'website',
  })
  const deliveries = await db
    .selectFrom('webhook_deliveries')
    .select(['status', 'trace_json'])
    .orderBy('id')
    .execute()
  assert.deepEqual(
    deliveries.map(({ status }) => status),
    ['delivered', 'skipped'],
  )
  assert.match(String(deliveries[1]?.trace_json), /oklahoma/)
})

test('an invalid post shows the form again with messages, a summary, and the input', async (t) => {
  const site = await startSite(t, { dataDir: temporaryFolder(t), contentDir: aPartOfTheExample(t) })
  const browser = await openBrowser()
  const page = await openPage(t, browser, { javaScriptEnabled: true })
  await page.goto(`${site.url}/forms/quote`)
  await page.locator('form').evaluate((form: HTMLFormElement) => {
    form.noValidate = true
  })
  await page.locator('[name=full_name]').fill('Ana')
  await page.locator('[name=email]').fill('ana@')
  await page.getByRole('button', { name: 'Send' }).click()

  await page.locator('[role=alert]:focus').waitFor()
  assert.equal(await page.locator('[name=full_name]').inputValue(), 'Ana')
  assert.equal(await page.locator('[name=email]').getAttribute('aria-invalid'), 'true')
  await page.getByRole('alert').getByRole('link', { name: /email/i }).click()
  await page.locator('[name=email]:focus').waitFor()
})
