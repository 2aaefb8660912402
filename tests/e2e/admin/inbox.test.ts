import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { App } from '../../../src/app.ts'
import { checkAccessibility } from '../../support/accessibility.ts'
import { ADMINISTRATOR, openAdminPage, startAdmin } from '../../support/admin.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { storeWebhook } from '../../support/desk.ts'
import { startFront } from '../../support/front.ts'
import { startReceiver } from '../../support/receiver.ts'
import { waitFor } from '../../support/running-site.ts'

const MARKUP = `"><img src=x onerror=alert(1)><script>alert(2)</script>`
const OWN_SCREENS = [
  ...['/admin/inbox', '/admin/inbox?status=spam', '/admin/inbox?q=nothing', '/admin/inbox/1'],
  ...['/admin/users', '/admin/users/new', '/admin/account', '/admin/account/password'],
  ...['/admin/account/two-factors', '/admin/account/two-factors/removal', '/admin/audit'],
]
// Whose looks have tests of their own.
const OTHER_SCREENS = [
  ...['/admin', '/admin/forms', '/admin/forms/waitlist', '/admin/webhooks', '/admin/deliveries'],
  ...['/admin/deliveries/1', '/admin/entries/services', '/admin/taxonomies/locations', '/admin/coverage'],
]

async function send(url: string, answers: object) {
  const body = JSON.stringify({
    email: 'ann@example.com',
    phone: '+1 512 555 0100',
    role: 'owner',
    ...answers,
  })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/forms/waitlist/submissions`, { method: 'POST', headers, body })
  assert.equal(response.status, 201)
}

test('issue 5: set up, sign out and in, find a submission, sort it, export it', async (t) => {
  const { app, url } = await startFront(t)
  await send(url, { full_name: 'Ann Archer', bottleneck: 'A leak in the kitchen' })
  await send(url, { full_name: 'Bob Builder' })
  const page = await openPage(t, await openBrowser(t), { baseURL: url })

  await page.goto(`/admin/setup?code=${await app.setup.findCode()}`)
  await checkAccessibility(page)
  await page.getByLabel('E-mail address').fill('office@example.com')
  await page.getByLabel('Your name').fill('Office')
  await page.getByLabel('Password').fill(ADMINISTRATOR.password)
  await page.getByRole('button', { name: 'Make the account' }).click()
  await page.getByText('you are signed in').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.goto('/admin/inbox')
  await checkAccessibility(page)
  await page.getByLabel('E-mail address').fill('office@example.com')
  await page.getByLabel('Password').fill(ADMINISTRATOR.password)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.getByRole('searchbox').fill('leak')
  await page.keyboard.press('Enter')
  await page.getByText('Bob Builder').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Ann Archer' }).click()
  assert.equal(
    await page.getByRole('link', { name: 'ann@example.com' }).getAttribute('href'),
    'mailto:ann@example.com',
  )
  await page.getByRole('button', { name: 'Archive' }).click()
  await page.getByText('1 submission archived.').waitFor()

  await page.goto('/admin/inbox')
  await page.getByRole('checkbox', { name: 'Choose the submission of Bob Builder' }).check()
  await page.getByText('1 chosen:').waitFor()
  await page.getByRole('button', { name: 'Spam', exact: true }).click()
  await page.getByText('Nothing is left to do').waitFor()
  await page.getByRole('link', { name: 'Archived' }).click()
  await page.getByText('A leak in the kitchen').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  const csv = await readFile(await download.path(), 'utf8')
  assert.match(csv, /Ann Archer/)
  assert.doesNotMatch(csv, /Bob/)
})

// Names of what an administrator makes, and what a receiver of webhooks answers.
async function storeMarkup({ db }: App, receiverUrl: string) {
  await storeWebhook(db, 1, { url: receiverUrl })
  await db.updateTable('form_webhooks').set({ name: MARKUP }).execute()
  await db.updateTable('forms').set({ name: MARKUP, description: MARKUP }).execute()
  await db.updateTable('taxonomy_terms').set({ name: MARKUP }).execute()
  await db.updateTable('content_entries').set({ title: MARKUP }).execute()
}

test('without JavaScript everything is there too, stored markup never runs, and axe finds nothing', async (t) => {
  const answer = { status: 500, headers: { 'x-note': MARKUP }, body: MARKUP }
  const receiver = await startReceiver(t, answer)
  const site = await startAdmin(t, {
    environment: { WEBHOOK_RETRY_SCHEDULE: '1h' },
    prepare: (app) => storeMarkup(app, receiver.url),
  })
  await send(site.url, { full_name: MARKUP, bottleneck: MARKUP })
  await site.post('/admin/inbox/1/notes', { body: MARKUP })
  await waitFor(async () => (await site.read('/admin/deliveries/1')).includes('x-note'))
  const page = await openAdminPage(t, site, { width: 390, colorScheme: 'dark' })
  page.on('dialog', (dialog) => assert.fail(`a dialog: ${dialog.message()}`))
  for (const path of OWN_SCREENS) {
    const response = await page.goto(path)
    assert.equal(response?.status(), 200, path)
    await checkAccessibility(page)
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
      `${path} is too wide`,
    )
  }
  for (const path of OTHER_SCREENS) assert.equal((await page.goto(path))?.status(), 200, path)

  const plain = await openAdminPage(t, site, { javaScriptEnabled: false, width: 390 })
  await plain.goto('/admin')
  await plain.getByRole('link', { name: 'Menu' }).click()
  await plain.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Inbox' }).click()
  await plain.getByRole('checkbox').first().check()
  await plain.getByRole('button', { name: 'Mark unread' }).click()
  await plain.getByText('1 submission marked as unread.').waitFor()
  await plain.getByRole('button', { name: 'Delete…' }).waitFor()
  await plain.getByRole('checkbox').first().check()
  await plain.getByRole('button', { name: 'Delete…' }).click()
  await plain.getByRole('button', { name: 'Delete 1 submission' }).click()
  await plain.getByText('1 submission deleted.').waitFor()
})
