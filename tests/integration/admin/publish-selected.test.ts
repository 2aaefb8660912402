import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { addTerms } from '#src/entries/terms/add-terms.ts'
import { insertContentType } from '#src/entries/types/content-type-store.ts'
import { listPicturesByName } from '#src/pictures/picture-store.ts'
import { findTrashId } from '#src/versions/trash-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { wordsOf } from '../../support/pages/read-page.ts'
import { messageOf, newestChanges } from '../../support/pages/told.ts'
import { aPhoto } from '../../support/photos.ts'
import { waitFor } from '../../support/running-site.ts'
import { editEntry, editPlace } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

const PATIENCE_MS = 60_000
const SCREEN = '/admin/publish/changes'

async function idOf(site: AdminSite, table: 'content_entries' | 'taxonomy_terms', slug: string) {
  const { id } = await site.app.db
    .selectFrom(table)
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow()
  return id
}

async function settle(site: AdminSite) {
  await waitFor(async () => !site.app.publishing.isRunning(), PATIENCE_MS)
}

/** Opens the Publish page once its comparison is done. */
async function openCompared(site: AdminSite) {
  const isLive = async () => (await site.open('/admin/publish')).element.querySelector('[data-live]') !== null
  await waitFor(async () => !(await isLive()), PATIENCE_MS)
  return site.open('/admin/publish')
}

async function upload(site: AdminSite, name: string): Promise<Response> {
  const body = new FormData()
  body.append('files', new Blob([new Uint8Array(await aPhoto({ color: name }))]), `${name}.jpg`)
  body.append('alt', 'Our van')
  return site.fetch('/admin/pictures/new', { method: 'POST', body })
}

test('the screen lists saved changes, publishes the selected ones, and leaves the rest', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const [austin, service] = [
    await idOf(site, 'taxonomy_terms', 'austin'),
    await idOf(site, 'content_entries', 'ac-repair'),
  ]
  ;(await site.open(SCREEN)).getByText('Nothing has changed since the last publish.')
  await addEntry(db, 'pages', { slug: 'half', title: 'Half a draft', status: 'draft' })
  await editPlace(db, austin, { name: 'Austin TX' })
  await editEntry(db, service, { title: 'Cooling' })
  ;(await site.open('/admin/publish')).getByRole('link', { name: 'Select changes' })
  const listed = await site.open(SCREEN)
  listed.getByRole('checkbox', { name: 'Select Austin TX' })
  listed.getByRole('checkbox', { name: 'Select Cooling' })
  assert.equal(listed.getAllByRole('checkbox').length, 2)

  const pressed = await site.post(SCREEN, { 'changes[]': `term:${austin}` })
  assert.match(pressed.headers.get('location') ?? '', /^\/admin\/publish\?after=\d+&selection$/)
  await settle(site)
  assert.deepEqual(await newestChanges(site), ['Published 1 change'])
  assert.match(await (await site.fetch('/services/ac-repair/austin')).text(), /Austin TX/)
  assert.doesNotMatch(await (await site.fetch('/services/ac-repair')).text(), /Cooling/)
  const left = await site.open(SCREEN)
  assert.equal(left.getAllByRole('checkbox').length, 1)
  left.getByRole('checkbox', { name: 'Select Cooling' })

  // The menu, the Publish page, and the list say the same.
  const compared = await openCompared(site)
  compared.getByRole('heading', { name: '1 unpublished change' })
  compared.getByText(/^Updates up to \d+ pages$/)
  const changed = compared.part('list', { name: 'What changed' })
  changed.getByRole('link', { name: 'Cooling' })
  assert.match(changed.words, /^Cooling Service, changed, /)
  const menu = compared.whole.part('navigation', { name: 'Admin' })
  menu.getByRole('link', { name: /^Publish\s*changes$/ })
})

test('a new place names the local pages that come with it', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const repair = await idOf(site, 'content_entries', 'ac-repair')
  const drains = await addEntry(db, 'services', { slug: 'drains', title: 'Drains' })
  const add = (text: string, serviceIds: number[]) =>
    addTerms(db, 'locations', { text, parentId: null, serviceIds }, { now: new Date() })
  await add('Waco', [repair, drains])
  await add('Plano', [])
  await add('Frisco', [drains])
  const rows = (await site.open(SCREEN)).part('table').getAllByRole('rowheader').map(wordsOf)
  // Drains is new itself, and selected on its own.
  assert.ok(rows.includes('Waco Place AC repair offered in this place'), rows.join())
  assert.ok(rows.includes('Plano Place No services offered in this place'), rows.join())
  assert.ok(rows.includes('Frisco Place'), rows.join())
})

test('an entry of an own type is listed, deleted, and restored under the type’s name', async (t) => {
  const site = await startAdmin(t)
  const type = { name: 'Case studies', description: null, sortOrder: 50, fields: [] }
  const pages = { isRoutable: true, routePattern: '/projects/{slug}', detailPartial: null }
  await insertContentType(site.app.db, 'case_studies', { ...type, ...pages })
  const id = await addEntry(site.app.db, 'case_studies', { slug: 'roof', title: 'Roof' })
  const rows = (await site.open(SCREEN)).part('table').getAllByRole('rowheader').map(wordsOf)
  assert.ok(rows.includes('Roof Case studies'), rows.join())
  await site.post(`/admin/entries/case_studies/${id}/removal`)
  assert.deepEqual(await newestChanges(site), ['Deleted “Roof” from Case studies'])
  const trashed = await findTrashId(site.app.db, { kind: 'entry', id })
  const restored = messageOf(await site.post(`/admin/trash/${trashed}/restoration`))
  assert.match(restored, /^“Roof” restored to Case studies\./)
})

test('a new place lists no services that only stay or become offered there', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const repair = await idOf(site, 'content_entries', 'ac-repair')
  const texas = await idOf(site, 'taxonomy_terms', 'texas')
  await editEntry(db, repair, { data: { offered_in: ['texas/**'] } }, new Date())
  const drains = await addEntry(db, 'services', { slug: 'drains', title: 'Drains' })
  const heating = await addEntry(db, 'services', { slug: 'heating', title: 'Heating' })
  await editEntry(db, heating, { data: { offered_in: ['texas/*'] } }, new Date())
  await site.post('/admin/publish')
  await settle(site)
  // Drains names the new place, Heating excludes it, and AC repair includes it already.
  for (const list of ['Buda', 'Kyle']) {
    const services = ['', `${drains}`, `${repair}`]
    const form = { list, inside: `${texas}`, act: 'add', services }
    assert.equal((await site.post('/admin/taxonomies/locations/terms/new', form)).status, 303)
  }
  const offered = async () => {
    const { data_json } = await db
      .selectFrom('content_entries')
      .select('data_json')
      .where('id', '=', heating)
      .executeTakeFirstOrThrow()
    return JSON.parse(data_json).offered_in
  }
  assert.deepEqual(await offered(), ['texas/*', 'except buda/**', 'except kyle/**'])
  const rows = async () =>
    (await site.open(SCREEN)).part('table').getAllByRole('rowheader').map(wordsOf).toSorted()
  const [buda, kyle] = ['Buda', 'Kyle'].map(
    (name) => `${name} Place AC repair and Drains offered in this place`,
  )
  assert.deepEqual(await rows(), [buda, kyle])
  const table = (await site.open('/admin/entries/services')).part('table').words
  assert.match(table, /Heating.*live/)
  assert.doesNotMatch(table, /unpublished/)
  const filtered = await site.open('/admin/entries/services?state=pending')
  assert.equal(filtered.queryByRole('link', { name: 'Heating' }), null)
  const editor = await site.open(`/admin/entries/services/${heating}`)
  assert.match(editor.words, /Heating\s*live\s*Jump to/)
  const shown = await site.open('/admin/publish/previews')
  assert.deepEqual([shown.valueOf('Select Buda'), shown.valueOf('Select Kyle')], [true, true])
  assert.equal(shown.queryByLabelText('Select Heating'), null)

  await site.post(SCREEN, { 'changes[]': `term:${await idOf(site, 'taxonomy_terms', 'buda')}` })
  await settle(site)
  assert.deepEqual(await rows(), [kyle], 'nor after one of two places went live')
  await editEntry(db, heating, { body: 'Same day.' }, new Date())
  assert.deepEqual(await rows(), ['Heating Service', kyle])
})

test('changes name who made them, and pictures that nothing uses are left out', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const id = await idOf(site, 'content_entries', 'ac-repair')
  for (const name of ['red', 'blue']) assert.equal((await upload(site, name)).status, 303)
  await addEntry(db, 'pages', { slug: 'about', title: 'About', body: '![Van](red.jpg)' })
  await site.post('/admin/entries/services/status', { ids: [String(id)], status: 'draft' })
  await site.post('/admin/settings', { tagline: 'Cool air' })
  const rows = (await site.open(SCREEN)).part('table').getAllByRole('row').slice(1)
  const listed = rows.map((row) =>
    [...row.children].map((cell) => wordsOf(cell).replace(/^\w{3} \d.* [AP]M /, '')).join(' '),
  )
  assert.deepEqual(listed.sort(), [
    'AC repair Service removed ann@example.com',
    'About Page new File or command',
    'Site settings Whole site changedVersions ann@example.com',
    'red.jpg Picture new ann@example.com',
  ])
  await site.post('/admin/publish')
  await settle(site)
  const { id: picture = 0 } = (await listPicturesByName(db, ['red.jpg'])).get('red.jpg') ?? {}
  const described = { [`alt.${picture}`]: 'Our red van' }
  assert.equal((await site.post(`/admin/pictures/descriptions?picture=${picture}`, described)).status, 303)
  const [later] = (await site.open(SCREEN)).part('table').getAllByRole('row').slice(1)
  assert.match(later ? wordsOf(later) : '', /^red.jpg Picture changed/)
})

test('deleted and hidden pages are listed, and an empty selection is refused', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const id = await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  await site.post('/admin/publish')
  await settle(site)
  await deleteEntry(db, id, { now: new Date() })
  const listed = await site.open(SCREEN)
  listed.getByRole('checkbox', { name: 'Select About' })
  listed.getByText('removed')
  assert.equal(messageOf(await site.post(SCREEN)), 'Select at least one change.')
})

test('a user without permission can’t publish a selection', async (t) => {
  const site = await startAdmin(t)
  const place = await idOf(site, 'taxonomy_terms', 'austin')
  await editPlace(site.app.db, place, { name: 'Austin TX' })
  await site.app.db.updateTable('admin_users').set({ role: 'viewer' }).execute()
  assert.equal((await site.post(SCREEN, { 'changes[]': `term:${place}` })).status, 403)
})
