import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntryInput } from '#src/entries/editing/entry-input.ts'
import { listContentTypes } from '#src/entries/types/content-type-store.ts'
import type { SchemaField } from '#src/entries/types/schema-field.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { loadEntryEditor } from '#src/site/entry-editor.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aPicture } from '../../support/pictures.ts'
import { addEntry, addPlaces, addProjects } from '../../support/small-site.ts'

const NOW = '2026-11-20T10:00:00.000Z'

type Database = Awaited<ReturnType<typeof openTestDatabase>>

async function load(db: Database, slug: string, values: Partial<EntryInput> = {}, fields?: SchemaField[]) {
  const types = await listContentTypes(db)
  const type = types.find((one) => one.slug === slug)
  assert.ok(type)
  const blank = {
    ...{ slug: '', title: '', status: 'draft' as const, body: '', fields: {}, termIds: [], namedTerms: {} },
    ...{ publishAt: null, unpublishAt: null, redirectFrom: [] },
  }
  const shown = { ...type, ...(fields && { fields }) }
  return loadEntryEditor(db, { type: shown, types, values: { ...blank, ...values } })
}

test('an entry without a place inherits nothing, and has an address if its type has pages', async (t) => {
  const db = await openTestDatabase(t)
  await addProjects(db)
  const project = await load(db, 'projects', { slug: '2026/roof' })
  assert.deepEqual(
    [project.path, project.pair, project.inherited],
    ['/projects/2026/roof', undefined, undefined],
  )
  assert.equal((await load(db, 'projects', { slug: 'roof' })).path, undefined)
  assert.equal((await load(db, 'testimonials', { slug: 'ann' })).path, undefined)
})

test('§2.9 the editor of a location service shows what it inherits from its service, place, and site', async (t) => {
  const db = await openTestDatabase(t)
  await saveSiteSettings(db, { ...DEFAULT_SITE_SETTINGS, phone: '(512) 555-0142' }, { now: NOW })
  const ids = await addPlaces(db, 'usa/texas/austin')
  await db
    .updateTable('taxonomy_terms')
    .set({ description: 'The capital' })
    .where('slug', '=', 'austin')
    .execute()
  const data = { hero: 'van.jpg', gallery: ['roof.jpg', 'team.jpg'], before_picture: '', summary: 'Cool' }
  const id = await addEntry(db, 'services', { slug: 'repair', title: 'Repair', body: 'We repair.', data })
  const fields = { service_entry_id: id, location_term_id: 'austin' }
  const { pair, path, inherited, fields: shown } = await load(db, 'location_services', { fields })
  assert.deepEqual([pair?.service?.id, pair?.place?.id, pair?.placeName], [id, ids.get('austin'), 'austin'])
  assert.equal(path, '/services/repair/austin')
  assert.deepEqual(inherited, { title: 'Repair in Austin', body: 'We repair.' })
  const texts = shown.flatMap((one) => (one.inherited === undefined ? [] : [[one.field.key, one.inherited]]))
  assert.deepEqual(Object.fromEntries(texts), {
    ...{ city: 'Austin', region: 'Texas', intro: 'The capital', phone: '(512) 555-0142' },
    ...{ hero: 'van.jpg', gallery: 'roof.jpg, team.jpg' },
  })
  const byId = { ...fields, location_term_id: ids.get('austin') }
  assert.equal((await load(db, 'location_services', { fields: byId })).pair?.place?.slug, 'austin')
})

test('a location service whose service or place is unknown inherits less', async (t) => {
  const db = await openTestDatabase(t)
  await addPlaces(db, 'usa/texas/austin')
  const page = await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  const unnamed = await load(db, 'location_services')
  assert.deepEqual(unnamed.pair, { service: undefined, place: undefined, placeName: '' })
  assert.deepEqual(unnamed.inherited, { title: '', body: '' })
  for (const service of [page, 9_999, 'x']) {
    const fields = { service_entry_id: service, location_term_id: 'austin' }
    const { pair, inherited, fields: shown } = await load(db, 'location_services', { fields })
    assert.deepEqual([pair?.service, pair?.place?.slug], [undefined, 'austin'])
    assert.deepEqual(inherited, { title: '', body: '' })
    assert.equal(shown.find(({ field }) => field.key === 'city')?.inherited, 'Austin')
  }
  const gone = await load(db, 'location_services', { fields: { location_term_id: 'gone' } })
  assert.equal(gone.pair?.placeName, 'gone')
})

test('places are chosen in fields, so their taxonomy is offered only where it is used', async (t) => {
  const db = await openTestDatabase(t)
  const ids = await addPlaces(db, 'usa/texas/austin')
  const slugsOf = async (type: string, values: Partial<EntryInput> = {}) =>
    (await load(db, type, values)).taxonomies.map(({ taxonomy }) => taxonomy.slug)
  const [withPlaces, without] = [['locations', 'service_categories'], ['service_categories']]
  const setArchive = (has: 0 | 1) =>
    db.updateTable('taxonomies').set({ has_archive: has }).where('slug', '=', 'locations').execute()
  await setArchive(0)
  for (const type of ['services', 'location_services']) {
    const offered = (await slugsOf(type)).includes('locations')
    assert.equal(offered, false, type)
  }
  assert.ok((await slugsOf('testimonials')).includes('locations'))
  assert.ok((await slugsOf('services', { termIds: [ids.get('austin') ?? 0] })).includes('locations'))
  assert.deepEqual([await slugsOf('services')], [without])
  await setArchive(1)
  assert.deepEqual((await slugsOf('services')).sort(), withPlaces)
})

test('pictures that an entry shows without any description are listed', async (t) => {
  const db = await openTestDatabase(t)
  for (const [name, alt] of [
    ['bare.jpg', null],
    ['text.jpg', null],
    ['own.jpg', null],
    ['described.jpg', 'A van'],
    ['hero.jpg', null],
  ] as const)
    await savePicture(db, aPicture({ name, alt }), { now: NOW })
  const undescribed = async (values: Partial<EntryInput>) =>
    (await load(db, 'services', values)).undescribed.map(({ name }) => name).sort()
  const body = '![](text.jpg) ![ ](described.jpg) ![Our van](own.jpg)'
  assert.deepEqual(await undescribed({ body }), ['text.jpg'])
  const fields = { picture: 'bare.jpg', hero: 'hero.jpg' }
  assert.deepEqual(await undescribed({ fields }), ['bare.jpg', 'hero.jpg'])
  assert.deepEqual(await undescribed({ fields: { ...fields, picture_alt: 'A van' } }), ['hero.jpg'])
})

test('phone numbers that can’t be dialed are listed, by the site’s country', async (t) => {
  const db = await openTestDatabase(t)
  const undialable = async (phone: unknown) => {
    const { country, undialable: numbers } = await load(db, 'location_services', { fields: { phone } })
    return [country, numbers]
  }
  assert.deepEqual(await undialable('12'), ['US', ['12']])
  assert.deepEqual(await undialable('(512) 555-0142'), ['US', []])
  for (const none of ['', null, undefined]) assert.deepEqual(await undialable(none), ['US', []])
  await saveSiteSettings(db, { ...DEFAULT_SITE_SETTINGS, country: 'IE' }, { now: NOW })
  assert.deepEqual(await undialable('085 012 3456'), ['IE', []])
})

test('a list of sections shows the site’s usual ones, and fields have their choices', async (t) => {
  const db = await openTestDatabase(t)
  const sections = { service: ['faq', 'steps'] }
  await saveSiteSettings(db, { ...DEFAULT_SITE_SETTINGS, sections }, { now: NOW })
  const { fields } = await load(db, 'services')
  const usual = fields.flatMap((one) => ('usual' in one ? [[one.field.key, one.usual]] : []))
  assert.deepEqual(usual, [['sections', ['faq', 'steps']]])
  const form = fields.find(({ field }) => field.key === 'form')
  assert.ok(form?.choices.some(({ value }) => value === 'waitlist'))
})

test('a field offers its options, and only fields of sections inherit from the home page', async (t) => {
  const db = await openTestDatabase(t)
  const home = { ...DEFAULT_SITE_SETTINGS.home, heading: 'Cool', intro: 'Now' }
  await saveSiteSettings(db, { ...DEFAULT_SITE_SETTINGS, home }, { now: NOW })
  const own = [
    { key: 'size', label: 'Size', type: 'text' as const, options: ['very_small', 'large'] },
    { key: 'heading', label: 'Heading', type: 'text' as const },
    { key: 'intro', label: 'Intro', type: 'text' as const, section: 'offer' },
  ]
  const { fields } = await load(db, 'pages', {}, own)
  assert.deepEqual(
    fields.map(({ choices, inherited }) => [choices, inherited]),
    [
      [
        [
          { value: 'very_small', label: 'Very small' },
          { value: 'large', label: 'Large' },
        ],
        undefined,
      ],
      [[], undefined],
      [[], 'Now'],
    ],
  )
})
