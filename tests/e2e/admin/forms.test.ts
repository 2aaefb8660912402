import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findForm } from '#src/forms/form-store.ts'
import { submit } from '../../integration/webhooks/webhook-world.ts'
import { checkAccessibility } from '../../support/accessibility.ts'
import { type AdminSite, openAdminPage, startAdmin } from '../../support/admin.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { waitFor } from '../../support/running-site.ts'

// One of each type, with something of its own: inputs by their names.
const FIELDS: Record<string, string>[] = [
  { type: 'text', name: 'full_name', label: 'Your name', 'validation.max_length': '100' },
  { type: 'email', name: 'email', label: 'E-mail', placeholder: 'ada@example.com' },
  { type: 'phone', name: 'phone', label: 'Phone', help_text: 'With its area code' },
  { type: 'textarea', name: 'message', label: 'Message', 'validation.min_length': '5' },
  { type: 'select', name: 'size', label: 'Size', options: 'Small/s\nLarge/l' },
  { type: 'radio', name: 'building', label: 'Building', options: 'House/h\nFlat/f', default_value: 'h' },
  { type: 'checkbox', name: 'extras', label: 'Extras', options: 'Garden/g\nPool/p' },
  { type: 'file', name: 'photo', label: 'Photo', 'validation.accept': 'image/*', 'validation.max_size': '5' },
  { type: 'hidden', name: 'campaign', label: 'Campaign', default_value: 'spring' },
  { type: 'url', name: 'website', label: 'Website' },
  { type: 'number', name: 'budget', label: 'Budget', 'validation.min': '1' },
  { type: 'date', name: 'day', label: 'Day', 'validation.max': '2030-12-31' },
]

// They have every control of the editor; what the other types differ in is which of them are requested.
const TYPED = ['text', 'radio', 'file', 'date']

const rowsOf = (page: Page) => page.locator('[data-sortable] > li a.font-medium').allTextContents()
const previewOf = (page: Page) => page.frameLocator('iframe[name=preview]')

async function makeForm(page: Page, name: string, check: (page: Page) => Promise<void> = async () => {}) {
  await page.goto('/admin/forms')
  await check(page)
  await page.getByRole('link', { name: 'Add form' }).click()
  await page.getByLabel('Start with').waitFor()
  await check(page)
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Start with').selectOption('nothing')
  await page.getByRole('button', { name: 'Add form' }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

async function typeField(page: Page, { type = 'text', ...texts }: Record<string, string>) {
  await page.getByRole('link', { name: 'Add question' }).click()
  if (type !== 'text') {
    await page.getByLabel('Answer type').selectOption(type)
    await page.getByRole('button', { name: 'Show settings' }).click()
  }
  for (const [name, text] of Object.entries(texts))
    await page.locator(`main form [name="${name}"]`).fill(text)
  await page.getByRole('button', { name: 'Add question' }).click()
  await page.getByText(`Question “${texts.label}” added.`).waitFor()
}

/** Posts what a browser would: each input that the editor shows for the type, with these texts. */
async function postField(site: AdminSite, form: string, field: Record<string, string>) {
  const address = `/admin/forms/${form}/fields/new`
  const shown = await (await site.post(address, { type: field.type ?? 'text', step: 'type' })).text()
  const editor = /<form[^>]*data-previewed[\s\S]*?<\/form>/.exec(shown)?.[0] ?? ''
  const inputs = [
    ...editor.matchAll(/<(?:input(?! type="checkbox")|textarea|select)[^>]*? name="([^"]+)"/g),
  ].map(([, name = '']) => name)
  for (const name of Object.keys(field)) assert.ok(inputs.includes(name), `${field.type}: ${name}`)
  const empty = Object.fromEntries(inputs.map((name) => [name, '']))
  const saved = await site.post(address, { ...empty, ...field })
  assert.match(String(saved.headers.get('location')), new RegExp(`^/admin/forms/${form}(\\?|$)`))
}

async function typesOf({ app }: AdminSite, slug: string) {
  return (await findForm(app.db, slug))?.fields.map(({ type }) => type)
}

test('issue 5, 3: forms are built in the admin', async (t) => {
  const site = await startAdmin(t)

  await t.test('without JavaScript a form with every field type is built', async (t) => {
    const page = await openAdminPage(t, site, { javaScriptEnabled: false, width: 390 })
    await makeForm(page, 'Everything')
    for (const field of FIELDS) {
      if (TYPED.includes(field.type ?? '')) await typeField(page, field)
      else await postField(site, 'everything', field)
    }
    assert.deepEqual(
      await typesOf(site, 'everything'),
      FIELDS.map(({ type }) => type),
    )
    await page.getByRole('button', { name: 'Move Day up' }).click()
    assert.deepEqual((await rowsOf(page)).slice(-2), ['Day', 'Budget'])
    await page.getByRole('button', { name: 'Activate' }).click()
    assert.equal((await findForm(site.app.db, 'everything'))?.status, 'active')
    // The look of the site, in which the form can be tried.
    assert.equal(await previewOf(page).locator('[data-field]').count(), 11)
    await previewOf(page).getByLabel('E-mail').fill('ada@')
    await previewOf(page).getByRole('button', { name: 'Send' }).click()

    await page.goto('/admin/publish')
    await page.getByRole('button', { name: 'Publish now' }).click()
    // The page reloads itself when the publish is done: leaving it earlier would meet that.
    await page.getByText('Everything is published').waitFor({ timeout: 60_000 })
    assert.ok((await fetch(`${site.url}/forms/everything`)).ok)
    await page.goto('/forms/everything')
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('E-mail').fill('grace@example.com')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.goto('/admin/inbox')
    await page.getByRole('link', { name: 'Grace Hopper' }).click()
    await page.getByRole('link', { name: 'grace@example.com' }).waitFor()
  })

  await t.test('with JavaScript the preview follows typing, and fields are dragged', async (t) => {
    const page = await openAdminPage(t, site)
    await makeForm(page, 'Quote', checkAccessibility)
    // Who types quickly is done before the script has come.
    const typed = Promise.withResolvers<void>()
    await page.route(/\.js$/, (route) => typed.promise.then(() => route.continue()))
    await page.getByRole('link', { name: 'Add question' }).click()
    await page.getByLabel('Question').fill('How large is it?')
    typed.resolve()
    await previewOf(page).getByText('How large is it?').waitFor()
    await page.getByLabel('Key').fill('Size')
    // Another type asks for its settings at once, and keeps what was typed.
    await page.getByLabel('Answer type').selectOption('radio')
    await page.getByText('Choices as text').click()
    await page.locator('textarea[name=options]').fill('Small/s\nLarge/l')
    await previewOf(page).getByLabel('Large').waitFor()
    await checkAccessibility(page)
    await page.getByLabel('Key').evaluate((input) => input.removeAttribute('pattern'))
    await page.getByRole('button', { name: 'Add question' }).click()
    await page.getByText('Enter up to 63 lowercase letters').waitFor()
    await page.getByLabel('Key').fill('size')
    await page.getByLabel('Key').press('Enter')
    await page.getByText('Question “How large is it?” added.').waitFor()

    for (const name of ['first', 'second']) await postField(site, 'quote', { name, label: name })
    await page.reload()
    // The page comes again on its own once the order is stored.
    const stored = page.waitForEvent('load')
    await page.locator('li[data-field=second] [data-handle]').dragTo(page.locator('li[data-field=size]'), {
      targetPosition: { x: 20, y: 2 },
    })
    await stored
    assert.deepEqual(await rowsOf(page), ['second', 'How large is it?', 'first'])
    // By keyboard alone.
    await page.getByRole('button', { name: 'Move second down' }).press('Enter')
    await page.getByText('Order saved.').waitFor()
    assert.deepEqual(await rowsOf(page), ['How large is it?', 'second', 'first'])
    await checkAccessibility(page)

    for (const path of ['settings', 'fields/size', 'fields/size/removal', 'copy', 'removal']) {
      await page.goto(`/admin/forms/quote/${path}`)
      await checkAccessibility(page)
    }
  })
})

async function addWebhook(page: Page, { url, name }: { url: string; name: string }) {
  await page.goto('/admin/webhooks')
  await page.getByText('Add webhook to…').click()
  await page.getByRole('link', { name: 'Waitlist', exact: true }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('URL').fill(url)
  await page.getByLabel('Leads that match all of these conditions').check()
  await page.getByLabel('Condition 1: field').selectOption('role')
  await page.getByLabel('Condition 1: value').fill('Owner')
  await page.getByLabel('Body template').fill('{"who": "{{full_name}}", "role": "{{role}}"}')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByRole('status').getByText('added').waitFor()
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
  await page.getByText('Value in the lead: "owner"', { exact: true }).waitFor()
  await check(page)
  const delivery = page.url()
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('heading', { name: `Send the lead to “${name}” anyway?` }).waitFor()
  await page.getByText(`POST ${receiver.url}`).waitFor()
  await check(page)
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByLabel('Condition 1: value').fill('owner')
  await page.getByRole('button', { name: 'Dry run on 100 leads' }).click()
  await page
    .getByText('These settings would send the latest lead. The saved settings would send 0 leads.')
    .waitFor()
  await check(page)
  await page.getByRole('button', { name: 'Save webhook' }).last().click()
  await page.getByRole('status').getByText('Saved').waitFor()
  await page.goto(delivery)
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByText('1 delivery queued').waitFor()
  const [request] = await receiver.waitForRequests(1)
  assert.equal(request?.body, '{"who":"Ada Lovelace","role":"owner"}')
  await waitFor(async () => {
    await page.reload()
    return page.getByText('HTTP 200').isVisible()
  })
  await check(page)
}

const EDITOR = 'the editor shows what its choice needs, and a reference is inserted where the cursor is'

async function tryEditor(page: Page) {
  await page.setViewportSize({ width: 390, height: 900 })
  await page.goto('/admin/forms/waitlist/webhooks/new')
  const [rules, json] = [page.getByLabel('Condition 1: value'), page.getByLabel('Condition as JSON')]
  assert.deepEqual([await rules.isVisible(), await json.isVisible()], [false, false])
  await page.getByLabel('Leads that match any of these conditions').check()
  assert.deepEqual([await rules.isVisible(), await json.isVisible()], [true, false])
  await page.getByLabel('Condition 1: operator').selectOption('empty')
  assert.equal(await rules.isVisible(), false)
  await page.getByLabel('Leads that match a condition in JSON').check()
  assert.deepEqual([await rules.isVisible(), await json.isVisible()], [false, true])
  const template = page.getByLabel('Body template')
  await template.fill('{"a": ""}')
  await template.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(7, 7))
  await page.getByRole('button', { name: '{{email}}' }).click()
  assert.equal(await template.inputValue(), '{"a": "{{email}}"}')
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.equal(width, 390)
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with JavaScript' : 'without JavaScript'
  test(`issue 5 item 4: a skipped webhook is diagnosed, fixed, dry-run, and resent, ${how}`, async (t) => {
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
    if (javaScriptEnabled) await t.test(EDITOR, () => tryEditor(page))
  })
}
