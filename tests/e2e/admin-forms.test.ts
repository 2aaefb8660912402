import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findForm } from '../../src/forms/form-store.ts'
import { checkAccessibility } from '../support/accessibility.ts'
import { type AdminSite, openAdminPage, startAdmin } from '../support/admin.ts'
import { waitFor } from '../support/running-site.ts'

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

// They have every control of the editor; what the other types differ in is which of them are asked for.
const TYPED = ['text', 'radio', 'file', 'date']

const rowsOf = (page: Page) => page.locator('[data-sortable] > li a.font-medium').allTextContents()
const previewOf = (page: Page) => page.frameLocator('iframe[name=preview]')

async function makeForm(page: Page, name: string, check: (page: Page) => Promise<void> = async () => {}) {
  await page.goto('/admin/forms')
  await check(page)
  await page.getByRole('link', { name: 'New form' }).click()
  await page.getByLabel('Begin with').waitFor()
  await check(page)
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Begin with').selectOption('nothing')
  await page.getByRole('button', { name: 'Make the form' }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

async function typeField(page: Page, { type = 'text', ...texts }: Record<string, string>) {
  await page.getByRole('link', { name: 'Add a field' }).click()
  if (type !== 'text') {
    await page.getByLabel('What is asked for').selectOption(type)
    await page.getByRole('button', { name: 'Show its settings' }).click()
  }
  for (const [name, text] of Object.entries(texts))
    await page.locator(`main form [name="${name}"]`).fill(text)
  await page.getByRole('button', { name: 'Add the field' }).click()
  await page.getByText(`"${texts.label}" is added.`).waitFor()
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

test('issue 5, 3: forms are made in the admin', async (t) => {
  const site = await startAdmin(t)

  await t.test('without JavaScript one with every type of field', async (t) => {
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
    await waitFor(async () => (await fetch(`${site.url}/forms/everything`)).ok, 60_000)
    await page.goto('/forms/everything')
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('E-mail').fill('grace@example.com')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.goto('/admin/inbox')
    await page.getByRole('link', { name: 'Grace Hopper' }).click()
    await page.getByRole('link', { name: 'grace@example.com' }).waitFor()
  })

  await t.test('with JavaScript the preview follows what is typed, and fields are dragged', async (t) => {
    const page = await openAdminPage(t, site)
    await makeForm(page, 'Quote', checkAccessibility)
    await page.getByRole('link', { name: 'Add a field' }).click()
    await page.getByLabel('Question, as the visitor reads it').fill('How large is it?')
    await previewOf(page).getByText('How large is it?').waitFor()
    await page.getByLabel('Key').fill('Size')
    // Another type asks for its settings at once, and keeps what was typed.
    await page.getByLabel('What is asked for').selectOption('radio')
    await page.getByLabel('Choices').fill('Small/s\nLarge/l')
    await previewOf(page).getByLabel('Large').waitFor()
    await checkAccessibility(page)
    await page.getByLabel('Key').evaluate((input) => input.removeAttribute('pattern'))
    await page.getByRole('button', { name: 'Add the field' }).click()
    await page.getByText('Expected lower-case letters').waitFor()
    await page.getByLabel('Key').fill('size')
    await page.getByLabel('Key').press('Enter')
    await page.getByText('"How large is it?" is added.').waitFor()

    for (const name of ['first', 'second']) await postField(site, 'quote', { name, label: name })
    await page.reload()
    await page.locator('li[data-field=second] [data-handle]').dragTo(page.locator('li[data-field=size]'), {
      targetPosition: { x: 20, y: 2 },
    })
    await page.waitForFunction(
      () => document.querySelector('[data-sortable] > li')?.getAttribute('data-field') === 'second',
    )
    await page.reload()
    assert.deepEqual(await rowsOf(page), ['second', 'How large is it?', 'first'])
    // By keyboard alone.
    await page.getByRole('button', { name: 'Move second down' }).press('Enter')
    await page.getByText('The order is saved.').waitFor()
    assert.deepEqual(await rowsOf(page), ['How large is it?', 'second', 'first'])
    await checkAccessibility(page)

    for (const path of ['settings', 'fields/size', 'fields/size/removal', 'copy', 'removal']) {
      await page.goto(`/admin/forms/quote/${path}`)
      await checkAccessibility(page)
    }
  })
})
