import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility } from '../../support/accessibility.ts'
import { openAdminPage, startAdmin } from '../../support/admin.ts'
import { addPerson } from '../../support/people.ts'
import { addEntry } from '../../support/small-site.ts'

test('the editor shows who else has it open and locks nothing', async (t) => {
  let id = 0
  const site = await startAdmin(t, {
    prepare: async (app) => {
      id = await addEntry(app.db, 'pages', { slug: 'summer', title: 'Summer sale' })
    },
  })
  const path = `/admin/entries/pages/${id}`
  const editors = `${path}/editors`
  const maria = await addPerson(site, 'editor')
  await site.app.db.updateTable('admin_users').set({ name: 'Maria' }).where('id', '=', maria.id).execute()

  await t.test('a colleague who opened it is shown, also on a phone', async (part) => {
    assert.deepEqual(await (await maria.post(editors, { act: 'open' })).json(), [])
    const page = await openAdminPage(part, site, { width: 390 })
    await page.goto(path)
    await page.getByText(/^Maria has been editing this page since \d+:\d\d/).waitFor()
    await checkAccessibility(page)
    const [ann] = await (await maria.post(editors, { act: 'open' })).json()
    assert.equal(ann.name, 'Ann Example')
    await page.getByLabel('Title').fill('Winter sale')
    await page.getByRole('button', { name: 'Save for next publish' }).click()
    await page.getByText('“Winter sale” saved').waitFor()
    // The same moment as before the save.
    const [still] = await (await maria.post(editors, { act: 'open' })).json()
    assert.equal(still.since, ann.since)
  })

  await t.test('a colleague who left isn’t shown, and without a script nobody is', async (part) => {
    await maria.post(editors, { act: 'leave' })
    const longAgo = new Date(Date.now() - 61_000).toISOString()
    await site.app.db.updateTable('entry_editors').set({ seen_at: longAgo }).execute()
    const page = await openAdminPage(part, site)
    await Promise.all([page.waitForResponse(`**${editors}`), page.goto(path)])
    assert.equal(await page.getByText('has been editing').count(), 0)
    const plain = await openAdminPage(part, site, { javaScriptEnabled: false })
    await maria.post(editors, { act: 'open' })
    await plain.goto(path)
    assert.equal(await plain.getByText('has been editing').count(), 0)
  })

  await t.test('only users who may edit see colleagues', async () => {
    const viewer = await addPerson(site, 'viewer')
    assert.equal((await viewer.post(editors, { act: 'open' })).status, 403)
    assert.equal((await maria.post(editors, { act: 'stare' })).status, 404)
    assert.equal((await maria.post('/admin/entries/pages/999/editors', { act: 'open' })).status, 404)
  })
})

test('a user who may only read a page sees why it is gray, and its preview', async (t) => {
  let id = 0
  const site = await startAdmin(t, {
    prepare: async (app) => {
      id = await addEntry(app.db, 'pages', { slug: 'summer', title: 'Summer sale' })
    },
  })
  await site.app.db.updateTable('admin_users').set({ role: 'viewer' }).execute()
  const page = await openAdminPage(t, site, { width: 390 })
  await page.goto(`/admin/entries/pages/${id}`)
  await page.getByText('Your role lets you view this page but not change it.').waitFor()
  assert.equal(await page.getByLabel('Title').isDisabled(), true)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.frameLocator('iframe[name=preview]').getByRole('heading', { name: 'Summer sale' }).waitFor()
  await checkAccessibility(page)
})
