import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { submit } from '../integration/webhooks/webhook-world.ts'
import { checkAccessibility } from '../support/accessibility.ts'
import { type AdminSite, openAdminPage, startAdmin } from '../support/admin.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/running-site.ts'

async function addWebhook(page: Page, { url, name }: { url: string; name: string }) {
  await page.goto('/admin/webhooks')
  await page.getByText('Add a webhook to …').click()
  await page.getByRole('link', { name: 'Waitlist', exact: true }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Address').fill(url)
  await page.getByLabel('when all of these rules hold').check()
  await page.getByLabel('Rule 1: what is looked at').selectOption('role')
  await page.getByLabel('Rule 1: the value').fill('Owner')
  await page.getByLabel('Template of the body').fill('{"who": "{{full_name}}", "role": "{{role}}"}')
  await page.getByRole('button', { name: 'Add the webhook' }).click()
  await page.getByRole('status').getByText('is added').waitFor()
}

async function post(site: AdminSite) {
  await submit(site.app.db, {
    answers: { full_name: 'Ada Lovelace', email: 'ada@example.com', role: 'owner' },
  })
  site.app.dispatcher.wake()
}

interface Walk {
  name: string
  receiver: Receiver
  /** Looks for what hinders people; it needs JavaScript itself. */
  check: (page: Page) => Promise<void>
}

/** Finds out why the webhook was skipped, mends its condition, and sends what was skipped. */
async function mendAndReplay(page: Page, { name, receiver, check }: Walk) {
  await page.goto('/admin/deliveries?status=skipped')
  await page.getByRole('row').filter({ hasText: name }).getByRole('link').first().click()
  await page.getByText('role eq "Owner"').first().waitFor()
  await page.getByText('it was "owner"', { exact: true }).waitFor()
  await check(page)
  const delivery = page.url()
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByLabel('Rule 1: the value').fill('owner')
  await page.getByRole('button', { name: 'Dry run over the last 100' }).click()
  await page.getByText('it would fire for 1; as it is stored it fires for 0').waitFor()
  await check(page)
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  await page.getByRole('status').getByText('Saved').waitFor()
  await page.goto(delivery)
  await page.getByRole('button', { name: 'Render again and send' }).click()
  await page.getByText('on the way again').waitFor()
  const [request] = await receiver.waitForRequests(1)
  assert.equal(request?.body, '{"who":"Ada Lovelace","role":"owner"}')
  await waitFor(async () => {
    await page.reload()
    return page.getByText('HTTP 200').isVisible()
  })
  await check(page)
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with JavaScript' : 'without JavaScript'
  test(`issue 5 item 4: a skipped webhook is understood, mended, tried dry, sent again and arrives, ${how}`, async (t) => {
    const site = await startAdmin(t)
    const receiver = await startReceiver(t, 200)
    const page = await openAdminPage(t, site, { javaScriptEnabled })
    const name = 'Owners only'
    const check = javaScriptEnabled ? checkAccessibility : async () => {}
    await addWebhook(page, { url: receiver.url, name })
    await check(page)
    await post(site)
    await mendAndReplay(page, { name, receiver, check })
    await page.goto('/admin/webhooks')
    await check(page)
    await page.getByRole('row').filter({ hasText: name }).getByText('delivered').waitFor()
  })
}

test('issue 5 item 4: the editor shows what its choice needs, and a reference is inserted where the cursor is', async (t) => {
  const site = await startAdmin(t)
  const page = await openAdminPage(t, site, { width: 390 })
  await page.goto('/admin/forms/waitlist/webhooks/new')
  const [rules, json] = [page.getByLabel('Rule 1: the value'), page.getByLabel('The condition as JSON')]
  assert.deepEqual([await rules.isVisible(), await json.isVisible()], [false, false])
  await page.getByLabel('when any of these rules holds').check()
  assert.deepEqual([await rules.isVisible(), await json.isVisible()], [true, false])
  await page.getByLabel('Rule 1: how it compares').selectOption('empty')
  assert.equal(await rules.isVisible(), false)
  await page.getByLabel('when the condition written as JSON holds').check()
  assert.deepEqual([await rules.isVisible(), await json.isVisible()], [false, true])
  const template = page.getByLabel('Template of the body')
  await template.fill('{"a": ""}')
  await template.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(7, 7))
  await page.getByRole('button', { name: '{{email}}' }).click()
  assert.equal(await template.inputValue(), '{"a": "{{email}}"}')
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.equal(width, 390)
})
