import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyEntryInput } from '#src/entries/editing/entry-input.ts'
import { saveEntry } from '#src/entries/editing/save-entry.ts'
import { insertEntries, updateEntry } from '#src/entries/entry-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { findForm } from '#src/forms/form-store.ts'
import { conflictReasons } from '#src/messages/files/conflicts.ts'
import { assertTells, placed } from '../../support/wording.ts'
import { aPage, findEntryOf, getEntryOf, LOCATIONS, NOW, openWorkspace, type Workspace } from './workspace.ts'

const SERVICE = 'services/ac-repair.md'
const PLACE = 'ac-repair/austin'
const PROJECTS = 'name: Projects\nis_routable: true\nroute_pattern: /projects/{slug}\n'
const QUOTE = 'name: Quote\nfields: [{ name: email, type: email, label: Email }]\n'
const BASE = { 'site.yaml': 'name: Ours\n', 'taxonomies/locations.yaml': LOCATIONS }

const TAGGED = '---\ntitle: In Austin\nterms: { locations: [austin] }\n---\n'

function offeredIn(places: string) {
  return `---\ntitle: AC repair\noffered_in: [${places}]\n---\n`
}

/** A service that is offered in Austin, where someone wrote an introduction in the admin. */
async function openEditedPlace(t: Parameters<typeof openWorkspace>[0]) {
  const workspace = await openWorkspace(t, { ...BASE, [SERVICE]: offeredIn('austin') })
  await workspace.synced()
  const place = await getEntryOf(workspace, 'location_services', PLACE)
  const data = { ...place.data, intro: 'From the admin' }
  await updateEntry(
    workspace.db,
    place.id,
    { ...place, data, isGenerated: false },
    { now: NOW.toISOString() },
  )
  return workspace
}

async function conflictsOf(workspace: Workspace) {
  const result = await workspace.sync()
  assert.equal(result.kind, 'conflicts')
  return result.conflicts.map(({ path, message }) => `${path}: ${message}`)
}

const LOSS = 'syncing the file would delete entries that were edited in the admin:'
const placeStays = async (workspace: Workspace) =>
  (await findEntryOf(workspace, 'location_services', PLACE))?.data.intro === 'From the admin'

test('contract §3 removing a service’s file is a conflict if a place was edited in the admin', async (t) => {
  const workspace = await openEditedPlace(t)
  workspace.remove(SERVICE)
  assert.deepEqual(await conflictsOf(workspace), [`${SERVICE}: ${LOSS} location_services/${PLACE}`])
  await workspace.synced({ prefer: 'database' })
  assert.ok(await placeStays(workspace))
  assert.deepEqual((await workspace.synced()).removed, [])
  assert.ok(await findEntryOf(workspace, 'services', 'ac-repair'))
})

test('contract §3 --prefer file removes the service and its edited place', async (t) => {
  const workspace = await openEditedPlace(t)
  workspace.remove(SERVICE)
  assert.deepEqual((await workspace.synced({ prefer: 'file' })).removed, [SERVICE])
  assert.equal(await findEntryOf(workspace, 'location_services', PLACE), undefined)
})

test('contract §3 removing a term from its file is a conflict if a place was edited in the admin', async (t) => {
  const workspace = await openEditedPlace(t)
  workspace.write(SERVICE, offeredIn(''))
  workspace.write('taxonomies/locations.yaml', LOCATIONS.replace(/ +- slug: austin[\s\S]*zilker.*\n/, ''))
  assert.deepEqual(await conflictsOf(workspace), [
    `taxonomies/locations.yaml: ${LOSS} location_services/${PLACE}`,
  ])
  await workspace.synced({ prefer: 'database' })
  assert.ok(await placeStays(workspace))
  await workspace.synced()
  assert.ok(await placeStays(workspace))
})

test('contract §3 unedited places are removed with their service and their term', async (t) => {
  const workspace = await openWorkspace(t, { ...BASE, [SERVICE]: offeredIn('austin') })
  await workspace.synced()
  workspace.remove(SERVICE)
  assert.deepEqual((await workspace.synced()).removed, [SERVICE])
  assert.equal(await findEntryOf(workspace, 'location_services', PLACE), undefined)
})

test('contract §3 removing a content type’s file is a conflict if it has entries from the admin', async (t) => {
  const workspace = await openWorkspace(t, { ...BASE, 'content_types/projects.yaml': PROJECTS })
  await workspace.synced()
  const type = await findContentType(workspace.db, 'projects')
  const school = {
    slug: 'school',
    title: 'A school',
    status: 'published',
    body: '',
    data: {},
    isGenerated: false,
  }
  await insertEntries(workspace.db, type?.id ?? 0, [school as never], { now: NOW.toISOString() })
  workspace.remove('content_types/projects.yaml')
  assert.deepEqual(await conflictsOf(workspace), [`content_types/projects.yaml: ${LOSS} projects/school`])
  await workspace.synced({ prefer: 'database' })
  assert.ok(await findEntryOf(workspace, 'projects', 'school'))
  await workspace.synced()
  assert.ok(await findEntryOf(workspace, 'projects', 'school'))
})

test('contract §3 removing a form’s file is a conflict if a page from the admin shows the form', async (t) => {
  const workspace = await openWorkspace(t, { ...BASE, 'forms/quote.yaml': QUOTE })
  await workspace.synced()
  const type = await findContentType(workspace.db, 'pages')
  assert.ok(type)
  const fields = { form: 'quote' }
  const input = { ...emptyEntryInput({}), slug: 'contact', title: 'Contact', fields }
  assert.equal((await saveEntry(workspace.db, { type, id: undefined, input }, { now: NOW })).kind, 'saved')
  workspace.remove('forms/quote.yaml')
  const loss = conflictReasons.formLoss('pages/contact')
  assert.deepEqual(await conflictsOf(workspace), [`forms/quote.yaml: ${loss}`])
  await workspace.synced({ prefer: 'database' })
  assert.deepEqual((await workspace.synced()).removed, [])
  assert.ok(await findForm(workspace.db, 'quote'))
})

test('contract §3 after --prefer database a row changed back to the last synced value stays', async (t) => {
  const workspace = await openWorkspace(t, { 'pages/about.md': aPage({ title: 'First' }) })
  await workspace.synced()
  const edit = async (title: string) => {
    const page = await getEntryOf(workspace, 'pages', 'about')
    await updateEntry(workspace.db, page.id, { ...page, title }, { now: NOW.toISOString() })
  }
  await edit('Admin')
  workspace.write('pages/about.md', aPage({ title: 'File' }))
  await workspace.synced({ prefer: 'database' })
  await edit('First')
  assert.deepEqual((await workspace.synced()).kept, ['pages/about.md'])
  assert.equal((await getEntryOf(workspace, 'pages', 'about')).title, 'First')
})

test('contract §3 §2.6 applies_to null means every type with pages, and testimonials, as in the admin', async (t) => {
  const workspace = await openWorkspace(t, {
    ...BASE,
    'content_types/awards.yaml': 'name: Awards\n',
    'awards/best.md': TAGGED,
    'pages/about.md': TAGGED,
    'testimonials/ann.md': TAGGED.replace('title:', 'author: Ann\ntitle:'),
  })
  const result = await workspace.sync()
  assert.ok(result.kind === 'mistakes')
  assert.deepEqual(result.mistakes, [
    {
      path: 'awards/best.md',
      line: 3,
      fault: { code: 'taxonomy_of_pages', params: { taxonomy: 'locations', type: 'awards' } },
    },
  ])
})

test('contract §3 a navigation link without a page is a warning', async (t) => {
  const links = [
    '/about',
    '/about?from=top',
    '/abuot',
    '/draft',
    '/services',
    '/forms/waitlist',
    '/forms/gone',
  ]
  const navigation = [...links, '/taxonomy/locations', 'https://example.com/x']
  const workspace = await openWorkspace(t, {
    'site.yaml': `name: Ours\nnavigation:\n${navigation.map((path) => `  - { label: A, path: "${path}" }\n`).join('')}`,
    'pages/about.md': aPage(),
    'pages/draft.md': '---\ntitle: A draft\nstatus: draft\n---\n',
  })
  const result = await workspace.sync()
  assert.ok(result.kind === 'synced')
  assert.deepEqual(
    result.warnings.map(placed),
    ['5:/abuot', '6:/draft', '9:/forms/gone', '10:/taxonomy/locations'].map((place) =>
      place.replace(/(\d+):(.*)/, 'site.yaml:$1: the link points to $2, which is not a public page'),
    ),
  )
})

test('a reference to an inactive form is a warning', async (t) => {
  const workspace = await openWorkspace(t, {
    'site.yaml': 'name: A\ndefault_form: quote\n',
    'pages/contact.md': '---\ntitle: Contact\nform: quote\n---\n',
    'forms/quote.yaml': 'name: Quote\nstatus: draft\nfields: []\n',
  })
  const result = await workspace.sync()
  assert.ok(result.kind === 'synced')
  assert.deepEqual(
    result.warnings.map(placed),
    ['pages/contact.md:3', 'site.yaml:2'].map(
      (place) => `${place}: the form quote is not active, so no page shows it`,
    ),
  )
})

test('contract §3 a detail_partial without a component is a warning', async (t) => {
  const workspace = await openWorkspace(t, {
    'content_types/projects.yaml': `${PROJECTS}detail_partial: projekt_detail\n`,
    'content_types/notes.yaml': 'name: Notes\ndetail_partial: location_service_detail\n',
  })
  const result = await workspace.sync()
  assert.ok(result.kind === 'synced')
  assert.deepEqual(
    result.warnings.map(({ path, line }) => [path, line]),
    [['content_types/projects.yaml', 4]],
  )
  assertTells(result.warnings[0], /^unknown partial "projekt_detail".*page_detail/)
})

test('a missing form or picture in an entry of a custom type is a warning', async (t) => {
  const fields = ['form', 'picture', 'note'].map((key) => `    - { key: ${key}, label: A, type: text }\n`)
  const workspace = await openWorkspace(t, {
    'content_types/projects.yaml': `${PROJECTS}schema:\n  fields:\n${fields.join('')}`,
    'projects/roof.md': '---\ntitle: Roof\nform: qoute\npicture: roof.jpg\nnote: none\n---\n',
    'projects/wall.md': '---\ntitle: Wall\nform: waitlist\n---\n',
  })
  const result = await workspace.sync()
  assert.ok(result.kind === 'synced')
  assert.deepEqual(result.warnings.map(placed), [
    'projects/roof.md:3: unknown form "qoute", so the page shows none',
    'projects/roof.md:4: unknown picture "roof.jpg", so the page shows none',
  ])
})
