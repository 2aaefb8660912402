import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Dialog, Page } from 'playwright-core'
import { checkAccessibility } from '../../support/accessibility.ts'
import { type AdminSite, openAdminPage, startAdmin } from '../../support/admin.ts'
import { addProjects } from '../../support/small-site.ts'

const FORMS: [path: string, field: string][] = [
  ['/admin/entries/services/new', 'title'],
  ['/admin/entries/services/1', 'title'],
  ['/admin/entries/location_services/2', 'title'],
  ['/admin/settings', 'tagline'],
  ['/admin/home', 'home.heading'],
  ['/admin/forms/new', 'name'],
  ['/admin/forms/waitlist/settings', 'name'],
  ['/admin/forms/waitlist/fields/new', 'label'],
  ['/admin/forms/waitlist/webhooks/new', 'name'],
  ['/admin/taxonomies/new', 'name'],
  ['/admin/taxonomies/locations/settings', 'name'],
  ['/admin/taxonomies/locations/terms/new', 'list'],
  ['/admin/taxonomies/locations/terms/1', 'description'],
  ['/admin/content-types/new', 'name'],
]

// Returns true if the browser asks before it follows the link to the dashboard, which it does unless it is told to stay.
async function asksToLeave(page: Page, { stays = false } = {}): Promise<boolean> {
  let asked = false
  const answer = (dialog: Dialog) => {
    asked = dialog.type() === 'beforeunload'
    return stays ? dialog.dismiss() : dialog.accept()
  }
  page.once('dialog', answer)
  // Of the narrow screen's header, else of the menu.
  const link = page.getByRole('link', { name: 'Signpost' }).filter({ visible: true })
  if (stays) await Promise.all([page.waitForEvent('dialog'), link.click()])
  else await Promise.all([page.waitForURL('**/admin'), link.click()])
  page.off('dialog', answer)
  return asked
}

test('long forms warn before unsaved text is left', async (t) => {
  const site = await startAdmin(t)
  const page = await openAdminPage(t, site)

  for (const [path, field] of FORMS)
    await t.test(path, async () => {
      const input = page.locator(`main form [name="${field}"]`)
      await page.goto(path)
      await input.waitFor()
      assert.equal(await asksToLeave(page), false, 'nothing was typed')
      await page.goto(path)
      const before = await input.inputValue()
      await input.press('End')
      await input.pressSequentially('xyz')
      assert.equal(await asksToLeave(page, { stays: true }), true)
      assert.ok((await input.inputValue()).includes('xyz'), 'the text is still there')
      await input.fill(before)
      assert.equal(await asksToLeave(page), false, 'it says what it said before')
    })

  await t.test('saving doesn’t warn; a page with an error still has unsaved text', async () => {
    await page.goto('/admin/entries/services/new')
    await page.getByLabel('Title').fill('Drains')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByText('“Drains” saved.').waitFor()
    assert.equal(await asksToLeave(page), false)
    await page.goto('/admin/entries/services/new')
    await page.getByLabel('Title').fill('Drains')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByRole('alert').first().waitFor()
    await page.mouse.click(5, 5)
    assert.equal(await asksToLeave(page), true)
  })

  await t.test('saving one form warns if another one has unsaved text', async () => {
    await page.goto('/admin/taxonomies/locations/terms/1')
    await page.getByLabel('Description').fill('Large.')
    const dialog = page.waitForEvent('dialog')
    const saving = page.getByRole('button', { name: 'Save services' }).click()
    assert.equal((await dialog).type(), 'beforeunload')
    await (await dialog).dismiss()
    await saving
    assert.equal(await page.getByLabel('Description').inputValue(), 'Large.')
    await page.getByRole('button', { name: 'Save place' }).click()
    await page.getByText('saved.').waitFor()
    assert.equal(await asksToLeave(page), false)
  })

  await t.test('a preview keeps the unsaved-changes warning', async () => {
    await page.goto('/admin/entries/services/new')
    await page.getByLabel('Title').fill('Heating')
    await page.frameLocator('iframe[name=preview]').getByRole('heading', { name: 'Heating' }).waitFor()
    assert.equal(await asksToLeave(page), true)
  })
})

async function openService(t: TestContext, site: AdminSite, options: Parameters<typeof openAdminPage>[2]) {
  const page = await openAdminPage(t, site, options)
  await page.goto('/admin/entries/services')
  await page.getByRole('link', { name: 'AC repair' }).first().click()
  await page.getByLabel('Title', { exact: true }).waitFor()
  return page
}

async function storedSteps({ app }: AdminSite): Promise<unknown> {
  const { data_json } = await app.db
    .selectFrom('content_entries')
    .select('data_json')
    .where('slug', '=', 'ac-repair')
    .executeTakeFirstOrThrow()
  return (JSON.parse(data_json).steps ?? []).map(
    ({ title, text }: Record<string, string>) => `${title}: ${text}`,
  )
}

async function save(page: Page) {
  await page.getByRole('button', { name: 'Save for next publish' }).click()
  await page.getByText('saved.').waitFor()
}

test('steps are added, moved, and removed on a phone before one save', async (t) => {
  const site = await startAdmin(t)
  const page = await openService(t, site, { width: 390 })
  const add = page.getByRole('button', { name: 'Add step' })
  for (const [index, title] of ['One', 'Two', 'Three', 'Four'].entries()) {
    await add.click()
    await page.getByLabel(`Title ${index + 1}`).fill(title)
    await page.getByLabel(`Text ${index + 1}`).fill(`${title}.`)
  }
  await page.getByRole('button', { name: 'Move this step up' }).nth(3).press('Enter')
  assert.equal(await page.getByLabel('Title 3').inputValue(), 'Four')
  const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  assert.equal(focused, 'Move this step up')
  await page.getByRole('button', { name: 'Remove this step' }).first().click()
  assert.equal(await page.getByLabel('Title 1').inputValue(), 'Two')
  await checkAccessibility(page)
  assert.equal(await asksToLeave(page, { stays: true }), true)
  await save(page)
  assert.deepEqual(await storedSteps(site), ['Two: Two.', 'Four: Four.', 'Three: Three.'])
  assert.equal(await asksToLeave(page), false)
})

test('without JavaScript several steps are added with one save', async (t) => {
  const site = await startAdmin(t)
  const page = await openService(t, site, { javaScriptEnabled: false, width: 390 })
  for (const number of [1, 2, 3]) {
    await page.getByLabel(`Title ${number}`).fill(`Step ${number}`)
    await page.getByLabel(`Text ${number}`).fill(`Text ${number}.`)
  }
  await save(page)
  assert.deepEqual(await storedSteps(site), ['Step 1: Text 1.', 'Step 2: Text 2.', 'Step 3: Text 3.'])
})

test('several fields are added to a content type at once', async (t) => {
  const site = await startAdmin(t, {
    prepare: ({ db }) => addProjects(db, { key: 'client', label: 'Client', type: 'text' }),
  })
  const page = await openAdminPage(t, site)
  await page.goto('/admin/content-types/projects')
  for (const [number, key] of [
    [2, 'year'],
    [3, 'area'],
    [4, 'crew'],
    [5, 'cost'],
  ] as const) {
    await page.getByRole('button', { name: 'Add field' }).click()
    await page.getByLabel(`Field ${number} label`).fill(key)
    await page.getByLabel(`Field ${number} key`).fill(key)
  }
  await page.getByRole('button', { name: 'Move this field up' }).last().click()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('saved.').waitFor()
  const keys = page.getByLabel(/^Field \d+ key/)
  const values = await keys.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
  assert.deepEqual(values, ['client', 'year', 'area', 'cost', 'crew'])
})
