import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { openBrowser, openPage } from '../../support/browser.ts'
import { countRows } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { startFront } from '../../support/front.ts'

// One field is called like a property of the form element, which it then hides from scripts.
const FIELDS = [
  { name: 'action', label: 'What shall we do?', required: true },
  { name: 'append', label: 'Anything else?' },
  { name: 'rooms', label: 'Rooms', type: 'number' as const },
]

const SHA_256_OF_0 = '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9'

const button = (page: Page) => page.getByRole('button', { name: 'Send' })
const status = (page: Page) => page.getByRole('status')

test('the script of a form', async (t) => {
  const { url, app } = await startFront(t, {
    prepare: async ({ db }) => {
      await storeForm(db, 'quote', { fields: FIELDS })
      await storeForm(db, 'guarded', { settings: { anti_spam: { proof_of_work: true } } })
      await storeForm(db, 'files', {
        fields: [{ name: 'plan', label: 'Plan', type: 'file', required: true }],
      })
      await storeForm(db, 'elsewhere', { fields: FIELDS, settings: { redirect_url: '/services' } })
    },
  })
  const browser = await openBrowser()

  async function openForm(
    t: Parameters<typeof openPage>[0],
    onPost: (route: Route, count: number) => unknown,
  ) {
    await app.db.deleteFrom('form_submissions').execute()
    const context = await browser.newContext()
    t.after(() => context.close())
    const page = await context.newPage()
    await page.clock.install()
    const ids: (string | null)[] = []
    await page.route('**/submissions', (route) => {
      ids.push(new URLSearchParams(route.request().postData() ?? '').get('_id'))
      return onPost(route, ids.length)
    })
    await page.goto(`${url}/forms/quote`)
    await page.locator('[name=action]').fill('Repair')
    return { page, ids }
  }

  await t.test('resends automatically under the same `_id` after a lost connection', async (t) => {
    const { page, ids } = await openForm(t, (route, count) =>
      count === 1 ? route.abort() : route.continue(),
    )
    await button(page).click()
    await status(page).filter({ hasText: 'The connection was lost. Your answers are still here.' }).waitFor()
    // What is typed now is not what was sent.
    await page.locator('[name=action]').fill('Replace')
    await page.clock.fastForward(2_500)
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    assert.equal(ids.length, 2)
    assert.match(String(ids[0]), /^[0-9a-f-]{36}$/)
    assert.equal(ids[1], ids[0])
    const { data_json } = await app.db.selectFrom('form_submissions').selectAll().executeTakeFirstOrThrow()
    assert.equal(JSON.parse(data_json).action, 'Repair')
  })

  await t.test(
    'stores once what was sent before and after a reload, when only the answer was lost',
    async (t) => {
      const { page, ids } = await openForm(t, async (route, count) => {
        if (count > 1) return route.continue()
        await route.fetch()
        return route.abort()
      })
      await button(page).click()
      await status(page).filter({ hasText: 'The connection was lost' }).waitFor()
      await page.reload()
      await page.locator('[name=action]').fill('Repair')
      await button(page).click()
      await page.getByRole('heading', { name: 'Thank you' }).waitFor()
      assert.equal(ids[1], ids[0])
      assert.equal(await countRows(app.db, 'form_submissions'), 1)
      // The next one is another.
      await page.reload()
      await page.locator('[name=action]').fill('Repair')
      await button(page).click()
      await page.getByRole('heading', { name: 'Thank you' }).waitFor()
      assert.notEqual(ids[2], ids[0])
      assert.equal(await countRows(app.db, 'form_submissions'), 2)
    },
  )

  await t.test('gives up after five retries, with the focus on the message', async (t) => {
    const { page, ids } = await openForm(t, (route) => route.abort())
    await button(page).click()
    for (const seconds of [2, 5, 10, 20, 40]) {
      await status(page)
        .filter({ hasText: `in ${seconds} seconds` })
        .waitFor()
      await page.clock.fastForward(seconds * 1_000)
    }
    await page.getByRole('alert').filter({ hasText: 'Please send them again in a few minutes' }).waitFor()
    assert.deepEqual([ids.length, new Set(ids).size], [6, 1])
    await page.locator('[role=alert]:focus').waitFor()
    assert.equal(await page.locator('[name=action]').inputValue(), 'Repair')
  })

  await t.test('sends once even if the button is pressed repeatedly, and shows progress', async (t) => {
    const gate = Promise.withResolvers<void>()
    const { page, ids } = await openForm(t, async (route) => {
      await gate.promise
      return route.continue()
    })
    for (let press = 0; press < 3; press += 1) await page.locator('[name=append]').press('Enter')
    await page.getByRole('button', { name: 'Sending…' }).and(page.locator('[aria-disabled=true]')).waitFor()
    gate.resolve()
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    assert.equal(ids.length, 1)
  })

  await t.test('waits as long as a busy server asks, and shows it', async (t) => {
    const { page, ids } = await openForm(t, (route, count) =>
      count === 1
        ? route.fulfill({ status: 503, headers: { 'retry-after': '7' }, body: '{}' })
        : route.continue(),
    )
    await button(page).click()
    await status(page).filter({ hasText: 'We can’t save your answers right now.' }).waitFor()
    assert.match(String(await status(page).textContent()), /in 7 seconds/)
    await page.clock.fastForward(7_500)
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    assert.equal(ids[1], ids[0])
  })

  await t.test('shows the rate limit and doesn’t retry automatically', async (t) => {
    const problem = { title: 'Too many submissions', status: 429 }
    const { page, ids } = await openForm(t, (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '300' }, body: JSON.stringify(problem) }),
    )
    await button(page).click()
    await page
      .getByRole('alert')
      .filter({ hasText: 'Too many submissions. Please try again in 5 minutes.' })
      .waitFor()
    await page.clock.fastForward(600_000)
    assert.equal(ids.length, 1)
  })

  await t.test('distinguishes an incomplete number from an empty one', async (t) => {
    const { page } = await openForm(t, (route) => route.continue())
    await page.locator('[name=rooms]').pressSequentially('1e')
    await button(page).click()
    await page.getByRole('alert').getByText('Rooms: Enter a number such as 12 or 3.5').waitFor()
  })

  await t.test('solves the form’s proof of work', async (t) => {
    const page = await openPage(t, browser, {})
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''))
    await page.goto(`${url}/forms/guarded`)
    await button(page).click()
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    // Sent once: what is uploaded is not uploaded in vain.
    assert.deepEqual(
      asked.filter((name) => name === 'challenge' || name === 'submissions'),
      ['challenge', 'submissions'],
    )
    // A page from before the form asked for it learns it from the server. This challenge is solved at once and no good.
    asked.length = 0
    const easy = { algorithm: 'SHA-256', challenge: SHA_256_OF_0, salt: '', signature: '', maxnumber: 0 }
    await page.route('**/challenge', (route) => route.fulfill({ json: easy }))
    await page.goto(`${url}/forms/guarded`)
    await page.locator('form').evaluate((form) => form.removeAttribute('data-proof'))
    await button(page).click()
    await page.getByRole('alert').filter({ hasText: 'The bot check has expired' }).waitFor()
    assert.deepEqual(
      asked.filter((name) => name === 'challenge' || name === 'submissions'),
      ['submissions', 'challenge', 'submissions'],
    )
  })

  await t.test('shows upload progress and asks for a missing file', async (t) => {
    const page = await openPage(t, browser, {})
    await page.goto(`${url}/forms/files`)
    await button(page).click()
    await page.getByRole('alert').getByRole('link', { name: 'Plan' }).waitFor()
    const line = await page.context().newCDPSession(page)
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 }
    await line.send('Network.emulateNetworkConditions', slow)
    const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.alloc(60_000, 'plan ') }
    await page.locator('[name=plan]').setInputFiles(file)
    await button(page).click()
    const bar = page.getByRole('progressbar', { name: 'Upload' })
    await bar.and(page.locator('[value]')).waitFor()
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    const row = await app.db
      .selectFrom('form_submissions')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirst()
    const { plan } = JSON.parse(row?.data_json ?? '{}')
    assert.deepEqual([plan.name, plan.size], ['plan.txt', 60_000])
  })

  await t.test('redirects to `redirect_url`', async (t) => {
    const page = await openPage(t, browser, {})
    await page.goto(`${url}/forms/elsewhere`)
    await page.locator('[name=action]').fill('Repair')
    await button(page).click()
    await page.waitForURL('**/services')
  })
})
