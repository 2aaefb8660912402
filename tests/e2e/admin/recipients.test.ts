import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findForm } from '#src/forms/form-store.ts'
import { checkAccessibility } from '#tests/support/accessibility.ts'
import { openAdminPage, startAdmin } from '#tests/support/admin.ts'
import { addPlaces } from '#tests/support/small-site.ts'

for (const [width, javaScriptEnabled] of [
  [390, false],
  [1280, true],
] as const)
  test(`an owner sends leads from a place to a colleague, at ${width} px`, async (t) => {
    const site = await startAdmin(t)
    await addPlaces(site.app.db, 'testland/dallas')
    const page = await openAdminPage(t, site, { width, javaScriptEnabled })
    await page.goto('/admin/forms/waitlist/emails')
    await page.getByRole('link', { name: 'Add recipients' }).click()
    await page.getByLabel('Email addresses').fill('dee@example.com')
    await page.getByLabel('Leads that match all of these conditions').check()
    await page.getByLabel('Condition 1: field').selectOption({ label: 'Place' })
    await page.getByLabel('Condition 1: operator').selectOption({ label: 'is in' })
    assert.equal(await page.getByLabel('Condition 1: value').getAttribute('list'), 'rule-place')
    await page.getByLabel('Condition 1: value').fill('Dallas')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByText('Leads from Dallas').waitFor()
    assert.deepEqual((await findForm(site.app.db, 'waitlist'))?.settings.notifications?.[0]?.when, {
      all: [{ field: 'meta.location_slug', op: 'within', value: 'dallas' }],
    })
    for (const name of ['Edit the emails to dee@example.com', 'Remove the emails to dee@example.com']) {
      const box = await page.getByRole('link', { name }).boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= width, `${name} is off-screen`)
    }
    if (javaScriptEnabled) await checkAccessibility(page)
  })

test('the suggested key of a question with a link has only its text', async (t) => {
  const site = await startAdmin(t)
  const page = await openAdminPage(t, site, { width: 390 })
  await page.goto('/admin/forms/waitlist/fields/new')
  await page.getByLabel('Question').pressSequentially('I agree to the [terms](https://example.com/terms)')
  assert.equal(await page.getByLabel('Key').inputValue(), 'i_agree_to_the_terms')
})
