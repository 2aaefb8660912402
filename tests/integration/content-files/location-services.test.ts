import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { saveEntry } from '#src/entries/editing/save-entry.ts'
import { listTermIdsByEntry } from '#src/entries/entry-store.ts'
import { changeOffers } from '#src/entries/offers/change-offers.ts'
import { resetLocationService } from '#src/entries/offers/reset-location-service.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { findTaxonomy, listTerms } from '#src/taxonomies/taxonomy-store.ts'
import { assertTells } from '../../support/wording.ts'
import {
  aService,
  findEntryOf,
  getEntryOf,
  LOCATIONS,
  listEntriesOf,
  NOW,
  openWorkspace,
  type Workspace,
} from './workspace.ts'

const PLACES = 'taxonomies/locations.yaml'
const SERVICE = 'services/ac-repair.md'
const AUSTIN = 'location_services/ac-repair/austin.md'

function openOffers(t: Parameters<typeof openWorkspace>[0], offeredIn: string[], files = {}) {
  return openWorkspace(t, { [PLACES]: LOCATIONS, [SERVICE]: aService({ offeredIn }), ...files })
}

async function slugsOf(workspace: Workspace) {
  return (await listEntriesOf(workspace, 'location_services')).map(({ slug }) => slug)
}

async function termOf({ db }: Workspace, slug: string) {
  const taxonomy = await findTaxonomy(db, 'locations')
  const term = (await listTerms(db, taxonomy?.id ?? 0)).find((one) => one.slug === slug)
  assert.ok(term, `there is a term ${slug}`)
  return term
}

test('§2.9 rules 1–3: each offered place is an entry with its service and term, and both in its slug', async (t) => {
  const workspace = await openOffers(t, ['texas/*'])
  assert.deepEqual((await workspace.synced()).locationServices, { added: 2, removed: 0 })
  assert.deepEqual(await slugsOf(workspace), ['ac-repair/austin', 'ac-repair/dallas'])
  const entry = await getEntryOf(workspace, 'location_services', 'ac-repair/austin')
  assert.deepEqual(entry.data, {
    service_entry_id: (await getEntryOf(workspace, 'services', 'ac-repair')).id,
    location_term_id: (await termOf(workspace, 'austin')).id,
  })
  assert.deepEqual([entry.title, entry.body, entry.status, entry.isGenerated], ['', '', 'published', true])
})

test('removing a pattern removes its generated entries; others keep their IDs', async (t) => {
  const workspace = await openOffers(t, ['texas/**'])
  await workspace.synced()
  const { id } = await getEntryOf(workspace, 'location_services', 'ac-repair/austin')
  workspace.write(SERVICE, aService({ offeredIn: ['austin', 'oklahoma'] }))
  assert.deepEqual((await workspace.synced()).locationServices, { added: 1, removed: 3 })
  assert.deepEqual(await slugsOf(workspace), ['ac-repair/austin', 'ac-repair/oklahoma'])
  assert.equal((await getEntryOf(workspace, 'location_services', 'ac-repair/austin')).id, id)
})

test('§2.9 rule 5: a file overrides parts of a generated entry, which keeps its ID', async (t) => {
  const workspace = await openOffers(t, ['texas/**'])
  await workspace.synced()
  const { id } = await getEntryOf(workspace, 'location_services', 'ac-repair/austin')
  workspace.write(AUSTIN, '---\ncity: Austin\nphone: (512) 555-0142\n---\n\nLocal words.\n')
  assert.deepEqual((await workspace.synced()).added, [AUSTIN])
  const entry = await getEntryOf(workspace, 'location_services', 'ac-repair/austin')
  const { service_entry_id: _, location_term_id: __, ...overrides } = entry.data
  assert.deepEqual(overrides, { city: 'Austin', phone: '(512) 555-0142' })
  assert.deepEqual([entry.id, entry.body, entry.isGenerated], [id, 'Local words.', false])
})

test('an override without its file becomes a generated entry if a pattern covers it', async (t) => {
  const workspace = await openOffers(t, ['austin'], {
    [AUSTIN]: '---\ntitle: Cool Austin\ncity: Austin\n---\n',
  })
  await workspace.synced()
  const { id } = await getEntryOf(workspace, 'location_services', 'ac-repair/austin')
  workspace.remove(AUSTIN)
  const changes = await workspace.synced()
  assert.deepEqual([changes.removed, changes.locationServices], [[AUSTIN], { added: 0, removed: 0 }])
  const entry = await getEntryOf(workspace, 'location_services', 'ac-repair/austin')
  assert.deepEqual(Object.keys(entry.data), ['service_entry_id', 'location_term_id'])
  assert.deepEqual([entry.id, entry.title, entry.isGenerated], [id, '', true])
})

test('an override without its file and a pattern is removed', async (t) => {
  const workspace = await openOffers(t, [], { [AUSTIN]: '---\ncity: Austin\n---\n' })
  await workspace.synced()
  assert.deepEqual(await slugsOf(workspace), ['ac-repair/austin'])
  workspace.remove(AUSTIN)
  await workspace.synced()
  assert.deepEqual(await slugsOf(workspace), [])
})

test('an override stays when its pattern goes', async (t) => {
  const workspace = await openOffers(t, ['texas/*'], { [AUSTIN]: '---\n---\n' })
  await workspace.synced()
  workspace.write(SERVICE, aService({ offeredIn: [] }))
  await workspace.synced()
  assert.deepEqual(await slugsOf(workspace), ['ac-repair/austin'])
})

test('removing a service removes its location services', async (t) => {
  const workspace = await openOffers(t, ['texas/**'], { [AUSTIN]: '---\ncity: Austin\n---\n' })
  await workspace.synced()
  workspace.remove(SERVICE)
  workspace.remove(AUSTIN)
  await workspace.synced()
  assert.deepEqual(await slugsOf(workspace), [])
})

test('§2.9 local testimonials are slugs in files and comma-separated IDs in the database', async (t) => {
  const testimonial = (author: string) => `---\ntitle: Thanks\nauthor: ${author}\n---\n\nGood.\n`
  const workspace = await openOffers(t, [], {
    'testimonials/anna.md': testimonial('Anna'),
    'testimonials/ben.md': testimonial('Ben'),
    [AUSTIN]: '---\nlocal_testimonials: [ben, anna]\n---\n',
  })
  await workspace.synced()
  const { data } = await getEntryOf(workspace, 'location_services', 'ac-repair/austin')
  const ids = ['ben', 'anna'].map(async (slug) => (await getEntryOf(workspace, 'testimonials', slug)).id)
  assert.equal(data.local_testimonials, (await Promise.all(ids)).join(','))
  assert.deepEqual((await workspace.synced()).kept, [])
})

test('§2.7 a moved or renamed term keeps its ID and its location services', async (t) => {
  const workspace = await openOffers(t, ['austin', 'zilker'])
  await workspace.synced()
  const before = await listEntriesOf(workspace, 'location_services')
  const { id } = await termOf(workspace, 'zilker')
  workspace.write(
    PLACES,
    `name: Locations
is_hierarchical: true
terms:
  - slug: oklahoma
    name: Oklahoma
    terms:
      - { slug: zilker, name: Zilker Park }
      - { slug: austin, name: Austin }
`,
  )
  await workspace.synced()
  const zilker = await termOf(workspace, 'zilker')
  const oklahoma = await termOf(workspace, 'oklahoma')
  assert.deepEqual(
    [zilker.id, zilker.parentId, zilker.name, zilker.position],
    [id, oklahoma.id, 'Zilker Park', 0],
  )
  assert.equal((await termOf(workspace, 'austin')).position, 1)
  assert.deepEqual(await listEntriesOf(workspace, 'location_services'), before)
})

test('§2.8 removing a term removes its links', async (t) => {
  const workspace = await openWorkspace(t, {
    [PLACES]: LOCATIONS,
    [SERVICE]: aService({ more: 'terms: { locations: [austin, oklahoma] }\n' }),
  })
  await workspace.synced()
  const service = await getEntryOf(workspace, 'services', 'ac-repair')
  const links = async () => (await listTermIdsByEntry(workspace.db, service.typeId)).get(service.id)
  const austin = (await termOf(workspace, 'austin')).id
  assert.deepEqual(
    await links(),
    [austin, (await termOf(workspace, 'oklahoma')).id].sort((a, b) => a - b),
  )
  workspace.write(PLACES, LOCATIONS.replace(/ {2}- \{ slug: oklahoma.*\n/, ''))
  workspace.write(SERVICE, aService({ more: 'terms: { locations: [austin] }\n' }))
  await workspace.synced()
  assert.deepEqual(await links(), [austin])
  assert.deepEqual((await workspace.synced()).kept, [])
})

test('§2.9 entries of a content type have as many slug parts as its pattern has placeholders', async (t) => {
  const type = `name: Projects
is_routable: true
route_pattern: /projects/{year}/{slug}
detail_partial: project_detail
schema:
  fields:
    - { key: finished_on, label: Finished on, type: date, required: true }
    - { key: rooms, label: Rooms, type: number }
`
  const workspace = await openWorkspace(t, {
    'site.yaml': 'name: Ours',
    'content_types/projects.yaml': type,
    'projects/2024/blue-house.md': '---\ntitle: Blue house\nfinished_on: 2024-05-01\nrooms: 7\n---\n',
  })
  assert.deepEqual((await workspace.synced()).added, [
    'content_types/projects.yaml',
    'projects/2024/blue-house.md',
    'site.yaml',
  ])
  const project = await getEntryOf(workspace, 'projects', '2024/blue-house')
  assert.deepEqual(project.data, { finished_on: '2024-05-01', rooms: 7 })
  workspace.remove('content_types/projects.yaml')
  const result = await workspace.sync()
  assertTells(result.kind === 'mistakes' ? result.mistakes[0] : undefined, /unknown content type/)
  workspace.remove('projects/2024/blue-house.md')
  assert.equal((await workspace.synced()).removed.length, 2)
})

test('100 services in 100 places are created in one sync', async (t) => {
  const terms = Array.from({ length: 100 }, (_, i) => `  - { slug: place-${i}, name: Place ${i} }\n`).join('')
  const offeredIn = Array.from({ length: 100 }, (_, i) => `place-${i}`)
  const workspace = await openWorkspace(t, {
    [PLACES]: `name: Locations\nis_hierarchical: true\nterms:\n${terms}`,
  })
  for (let i = 0; i < 100; i++) workspace.write(`services/service-${i}.md`, aService({ offeredIn }))
  assert.deepEqual((await workspace.synced()).locationServices, { added: 10_000, removed: 0 })
  assert.equal((await findEntryOf(workspace, 'location_services', 'service-99/place-99'))?.isGenerated, true)
})

test('contract §3: offers changed in the admin survive the next sync', async (t) => {
  const workspace = await openOffers(t, ['texas/**'])
  await workspace.synced()
  const { id } = await getEntryOf(workspace, 'services', 'ac-repair')
  const change = { serviceIds: [id], removesWritten: false }
  const austin = { ...change, change: 'remove' as const, placeId: (await termOf(workspace, 'austin')).id }
  await changeOffers(workspace.db, { ...austin, reach: 'branch' }, { now: NOW })
  const oklahoma = { ...change, change: 'add' as const, placeId: (await termOf(workspace, 'oklahoma')).id }
  await changeOffers(workspace.db, { ...oklahoma, reach: 'place' }, { now: NOW })
  const offered = ['ac-repair/dallas', 'ac-repair/oklahoma', 'ac-repair/texas']
  assert.deepEqual(await slugsOf(workspace), offered)
  const changes = await workspace.synced()
  assert.deepEqual([changes.kept, changes.locationServices], [[SERVICE], { added: 0, removed: 0 }])
  assert.deepEqual(await slugsOf(workspace), offered)
  workspace.write(SERVICE, aService({ offeredIn: ['dallas'] }))
  assert.equal((await workspace.sync()).kind, 'conflicts')
  await workspace.synced({ prefer: 'file' })
  assert.deepEqual(await slugsOf(workspace), ['ac-repair/dallas'])
})

test('contract §3: an override reset or deleted in the admin stays so despite its file', async (t) => {
  const workspace = await openOffers(t, ['texas/*'], {
    [AUSTIN]: '---\ncity: ATX\n---\n',
    'location_services/ac-repair/dallas.md': '---\ncity: Big D\n---\n',
  })
  await workspace.synced()
  const austin = await getEntryOf(workspace, 'location_services', 'ac-repair/austin')
  await resetLocationService(workspace.db, austin.id, { now: NOW })
  const dallas = await getEntryOf(workspace, 'location_services', 'ac-repair/dallas')
  await deleteEntry(workspace.db, dallas.id, { now: NOW })
  await workspace.synced()
  assert.deepEqual(await slugsOf(workspace), ['ac-repair/austin'])
  assert.equal((await getEntryOf(workspace, 'location_services', 'ac-repair/austin')).isGenerated, true)
})

test('contract §3: a service renamed or deleted in the admin stays so, and the sync continues', async (t) => {
  const workspace = await openOffers(t, ['austin'], {
    [AUSTIN]: '---\ncity: ATX\n---\n',
    'services/roofing.md': aService({ title: 'Roofing', offeredIn: ['dallas'] }),
    'testimonials/anna.md': '---\ntitle: Thanks\nauthor: Anna\nservice: ac-repair\n---\n',
    'testimonials/ben.md': '---\ntitle: Thanks\nauthor: Ben\nservice: roofing\n---\n',
  })
  await workspace.synced()
  const type = await findContentType(workspace.db, 'services')
  assert.ok(type)
  const { id, title, status, body, data: fields } = await getEntryOf(workspace, 'services', 'ac-repair')
  const input = { slug: 'cooling', title, status, body, fields, termIds: [], namedTerms: {} }
  const noSchedule = { publishAt: null, unpublishAt: null, redirectFrom: [] }
  await saveEntry(workspace.db, { type, id, input: { ...input, ...noSchedule } }, { now: NOW })
  await deleteEntry(workspace.db, (await getEntryOf(workspace, 'services', 'roofing')).id, { now: NOW })
  await workspace.synced()
  assert.deepEqual(await slugsOf(workspace), ['cooling/austin'])
  assert.equal((await getEntryOf(workspace, 'testimonials', 'anna')).data.service, 'cooling')
  assert.equal((await getEntryOf(workspace, 'testimonials', 'ben')).data.service, undefined)
})
