import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { renameForm } from '#src/site/forms/rename-form.ts'
import { insertSavedFilter, listSavedFilters } from '#src/submissions/inbox/saved-filter-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { sqliteEngine } from '../../support/database.ts'
import { assertStored } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { type Page, readAnswer } from '../../support/pages/read-page.ts'
import { newestChanges } from '../../support/pages/told.ts'
import { addPerson } from '../../support/people.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { VALID_ANSWERS } from '../../support/submission-server.ts'

/** The links of the saved filters, and whether each is the list that the page shows. */
function filtersOf(page: Page): [string, boolean][] {
  const links = page
    .queryAllByRole('navigation', { name: 'Saved filters' })
    .flatMap((nav) => [...nav.querySelectorAll('a.btn')])
  return links.map((link) => [String(link.textContent).trim(), link.getAttribute('aria-current') === 'page'])
}

test('a filter is saved from the list, used, renamed, and deleted', async (t) => {
  const site = await startAdmin(t)
  const { db, desk, secretBox } = site.app
  for (const full_name of ['Ann', 'Bob'])
    assertStored(await desk.accept('waitlist', { ...VALID_ANSWERS, full_name }))
  await db.updateTable('form_submissions').set({ stage: 'won' }).where('id', '=', 1).execute()
  const words = secretBox.seal('Ann', 'inbox.words')
  const list = await site.open(`/admin/inbox?stage=won&form=waitlist&words=${encodeURIComponent(words)}`)
  const saving = String(list.getByRole('link', { name: 'Save filter…' }).getAttribute('href'))

  assert.equal((await site.post(saving, { name: ' ' })).status, 422)
  const saved = await site.post(saving, { name: 'Won quotes' })
  assert.deepEqual(await newestChanges(site), ['Saved the inbox filter “Won quotes”'])
  const page = await site.open(String(saved.headers.get('location')))
  assert.deepEqual(filtersOf(page), [['Won quotes', true]])
  assert.equal(page.queryAllByRole('link', { name: 'Ann' }).length, 1)
  assert.equal(page.queryAllByRole('link', { name: 'Bob' }).length, 0)
  assert.deepEqual(filtersOf(await site.open('/admin/inbox')), [['Won quotes', false]])
  const [stored] = await db.selectFrom('saved_filters').selectAll().execute()
  assert.deepEqual(JSON.parse(String(stored?.filter_json)), { form: 'waitlist', stage: 'won' })

  const address = String(page.getByRole('link', { name: 'Edit filter…' }).getAttribute('href'))
  await site.post(address, { name: 'Won leads', shared: 'on' })
  assert.deepEqual(filtersOf(await site.open('/admin/inbox')), [['Won leads', false]])
  const edit = await site.open(address)
  assert.equal(edit.valueOf('Name'), 'Won leads')
  const removal = String(edit.getByRole('link', { name: 'Delete…' }).getAttribute('href'))
  const question = await site.open(removal)
  question.getByRole('heading', { name: 'Delete the filter “Won leads”?' })
  assert.equal(filtersOf(await site.open('/admin/inbox')).length, 1, 'the question deletes nothing')
  await site.post(removal)
  assert.deepEqual(filtersOf(await site.open('/admin/inbox')), [])
})

test('two filters that a user sees have different names', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const colleague = await addPerson(site, 'office')
  const add = (userId: number, name: string, isShared = false) =>
    insertSavedFilter(db, userId, { name, isShared, parameters: { stage: 'won' } })
  const [own] = [await add(site.administratorId, 'Won'), await add(colleague.id, 'Lost', true)]
  await add(colleague.id, 'Private')
  const message = 'Another saved filter has this name. Choose a different one.'
  for (const name of ['won', 'Lost']) {
    const answer = await readAnswer(await site.post('/admin/inbox/filters/new?stage=lost', { name }), 422)
    assert.equal(answer.valueOf('Name'), name)
    answer.getByText(message)
  }
  const edit = `/admin/inbox/filters/${own}`
  ;(await readAnswer(await site.post(edit, { name: 'Lost' }), 422)).getByText(message)
  for (const name of ['Won', 'WON', 'Private']) assert.equal((await site.post(edit, { name })).status, 303)
  // Shared later by someone else: only a new name is compared.
  await add(colleague.id, 'Private', true)
  assert.equal((await site.post(edit, { name: 'Private', shared: 'on' })).status, 303)
})

test('only managers change other users’ filters, and only shared ones', async (t) => {
  const site = await startAdmin(t)
  const author = await addPerson(site, 'office')
  const office = await addPerson(site, 'office')
  const manager = await addPerson(site, 'manager')
  const add = (name: string, isShared: boolean) =>
    insertSavedFilter(site.app.db, author.id, { name, isShared, parameters: { stage: 'won' } })
  const [own, shared] = [await add('Own', false), await add('Shared', true)]
  const inbox = await readAnswer(await office.fetch('/admin/inbox?stage=won'))
  assert.deepEqual(filtersOf(inbox), [['Shared', true]])
  for (const [person, id, status] of [
    [office, own, 404],
    [office, shared, 404],
    [manager, own, 404],
    [manager, shared, 200],
    [author, own, 200],
  ] as const) {
    for (const path of ['', '/removal'])
      assert.equal((await person.fetch(`/admin/inbox/filters/${id}${path}`)).status, status)
    if (status === 404) await person.post(`/admin/inbox/filters/${id}/removal`)
  }
  assert.equal((await listSavedFilters(site.app.db, author.id)).length, 2)
})

test('a filter for a deleted form shows no leads instead of all', async (t) => {
  const site = await startAdmin(t)
  assertStored(await site.app.desk.accept('waitlist', { ...VALID_ANSWERS, full_name: 'Ann' }))
  const page = await site.open('/admin/inbox?form=gone')
  assert.equal(page.queryAllByRole('link', { name: 'Ann' }).length, 0)
})

test('a filter for a renamed form shows its leads, whatever form has its former slug', async (t) => {
  const site = await startAdmin(t)
  const { db, desk } = site.app
  await storeForm(db, 'quote')
  assertStored(await desk.accept('quote', { answer: 'From Ann' }))
  const add = (name: string, parameters: Record<string, string>) =>
    insertSavedFilter(db, site.administratorId, { name, isShared: true, parameters })
  await add('Quotes', { status: 'all', form: 'quote' })
  await add('Others', { form: 'waitlist' })
  assert.equal(await renameForm(db, 'quote', 'estimate', { now: '2026-11-21T10:00:00.000Z' }), 'renamed')
  await storeForm(db, 'quote')
  const filters = await listSavedFilters(db, site.administratorId)
  assert.deepEqual(
    filters.map(({ parameters }) => parameters),
    [{ form: 'waitlist' }, { status: 'all', form: 'estimate' }],
  )
  const link = (await site.open('/admin/inbox')).getByRole('link', { name: 'Quotes' })
  const page = await site.open(String(link.getAttribute('href')))
  assert.equal(page.queryAllByText(/From Ann/).length, 1)
})

test('a user has at most 20 filters', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const filter = { name: 'One', isShared: false, parameters: { stage: 'won' } }
  for (let n = 0; n < 20; n++) await insertSavedFilter(db, site.administratorId, filter)
  const answer = await site.post('/admin/inbox/filters/new?stage=lost', { name: 'One more' })
  ;(await readAnswer(answer, 422)).getByText(
    'You’ve reached the limit of 20 saved filters. Delete one first.',
  )
  assert.equal((await listSavedFilters(db, site.administratorId)).length, 20)
})

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())
  test(`${engine.name}: shared filters reach users with the same limits, and users without any`, async () => {
    const db = await engine.openMigrated()
    const addUser = async (email: string, places: string | null, forms: string | null) => {
      const row = { email, place_limit_json: places, form_limit_json: forms }
      const user = db.insertInto('admin_users').values(row).returning('id')
      return (await user.executeTakeFirstOrThrow()).id
    }
    const clare = await addUser('clare@example.com', '[1]', null)
    const clareToo = await addUser('clare-too@example.com', '[1]', null)
    const kerry = await addUser('kerry@example.com', '[2]', null)
    const clareForm = await addUser('clare-form@example.com', '[1]', '[1]')
    const all = await addUser('all@example.com', null, null)
    const parameters = { location: 'Clare' }
    await insertSavedFilter(db, clare, { name: 'B of Clare', isShared: true, parameters })
    await insertSavedFilter(db, clare, { name: 'C, own', isShared: false, parameters })
    await insertSavedFilter(db, all, { name: 'A of all', isShared: true, parameters })
    const seen = async (id: number) => (await listSavedFilters(db, id)).map(({ name }) => name)
    assert.deepEqual(await seen(clare), ['B of Clare', 'C, own'])
    assert.deepEqual(await seen(clareToo), ['B of Clare'])
    assert.deepEqual(await seen(kerry), [])
    assert.deepEqual(await seen(clareForm), [])
    assert.deepEqual(await seen(all), ['A of all', 'B of Clare'])
    await db.deleteFrom('admin_users').where('id', '=', clare).execute()
    assert.deepEqual(await seen(all), ['A of all'])
  })
}
