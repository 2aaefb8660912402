import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { EntryInput } from '#src/entries/editing/entry-input.ts'
import { loadListPage, readListQuestion } from '#src/entries/editing/list-page.ts'
import { countEntriesByType, listEntryPage, listPagesNamed } from '#src/entries/entry-list-store.ts'
import {
  findEntryName,
  findPublishedEntries,
  listEntriesById,
  listEntryNames,
  listFormerAddresses,
  listLongTexts,
  listNamesById,
  listPagesAddedAt,
  listPublishedWith,
} from '#src/entries/entry-lookup-store.ts'
import { listSlugRanges } from '#src/entries/entry-range-store.ts'
import {
  countShownEntries,
  findNextScheduledMoment,
  hasShownEntries,
  isScheduledOff,
  isShownAt,
  listEntryIdsDue,
  listScheduledMoments,
} from '#src/entries/entry-schedule-store.ts'
import { insertEntries, listEntries, listWrittenEntries, streamEntries } from '#src/entries/entry-store.ts'
import { discardDraft, findEntryDraft, saveDraft } from '#src/entries/history/entry-draft.ts'
import { isPublicAt } from '#src/entries/is-public-at.ts'
import {
  countOffers,
  listOfferGroups,
  listPublishedContents,
} from '#src/entries/offers/location-service-store.ts'
import {
  listEntryIdsAt,
  listEntryIdsOf,
  listEntryIdsWithTestimonials,
  listPairsOfServices,
  listPlacesNear,
  listPlacesOfServices,
} from '#src/entries/offers/place-pair-store.ts'
import { insertContentType } from '#src/entries/types/content-type-store.ts'
import { compareText } from '#src/lib/compare-text.ts'
import { listEntriesNaming } from '#src/pictures/picture-use-store.ts'
import { sqliteEngine } from '../../support/database.ts'
import { addEntry } from '../../support/small-site.ts'
import { aService, LATER, NOW, openWorld, type World } from './entry-world.ts'

const engine = sqliteEngine()
let world: World
before(async () => {
  world = await openWorld(engine)
})
after(() => engine.close())

const slugsOf = (entries: readonly { slug: string }[]) => entries.map(({ slug }) => slug)
const EARLIER = new Date(NOW.getTime() - 1)
const at = (minutes: number) => new Date(Date.parse('2027-03-01T10:00:00.000Z') + minutes * 60_000)

test('a list finds local pages by service, place, and the place above, in the words of their name', async () => {
  const service = await world.saved('services', aService(['texas/**'], { slug: 'q', title: 'AC repair' }))
  await world.saved('services', aService(['tulsa'], { slug: 'q-roof', title: 'Roofs' }))
  const type = await world.type('location_services')
  const found = async (text: string) =>
    slugsOf(await listEntryPage(world.db, type.id, { text }, { order: 'slug', limit: 99 }))
  assert.deepEqual(await found('AC repair in Dallas'), ['q/dallas'])
  assert.deepEqual(await found('repair, AUSTIN'), ['q/austin', 'q/zilker'])
  assert.deepEqual(await found('roof'), ['q-roof/tulsa'])
  assert.deepEqual(await found('in'), ['q/austin', 'q/zilker'])
  assert.deepEqual(await found('q/%'), [])
  assert.equal((await found('')).length, 5)
  const inPlace = async (termId: number, isWritten?: boolean) =>
    slugsOf(await listEntryPage(world.db, type.id, { termId, isWritten }, { order: 'slug', limit: 99 }))
  assert.deepEqual(await inPlace(world.place('austin')), ['q/austin', 'q/zilker'])
  const fields = { service_entry_id: service, location_term_id: 'zilker', intro: 'Hello' }
  const [zilker] = (await world.offers(service)).filter(({ slug }) => slug === 'q/zilker')
  await world.saved('location_services', { fields }, zilker?.id)
  assert.deepEqual(await inPlace(world.place('austin'), true), ['q/zilker'])
  const [listed] = await listEntryPage(world.db, type.id, { text: 'zilker' }, { order: 'slug', limit: 1 })
  const { createdAt: _, ...values } = listed ?? assert.fail()
  assert.deepEqual(values, {
    ...{ id: zilker?.id, slug: 'q/zilker', title: '', status: 'published', isGenerated: false },
    ...{ publishAt: null, unpublishAt: null, updatedAt: NOW.toISOString(), hasDraft: false },
    ...{ serviceTitle: 'AC repair', placeId: world.place('zilker'), placeName: 'Zilker' },
    service: { id: service, status: 'published', publishAt: null, unpublishAt: null },
  })
})

test('a list shows which entries have a draft, as long as it is one', async () => {
  const input: EntryInput = {
    ...{ slug: 'q-draft', title: 'Draft', status: 'published', body: '', fields: {}, termIds: [] },
    ...{ namedTerms: {}, publishAt: null, unpublishAt: null, redirectFrom: [] },
  }
  const id = await world.saved('pages', input)
  const type = await world.type('pages')
  const hasDraft = async () => {
    const filter = { text: 'q-draft' }
    return (await listEntryPage(world.db, type.id, filter, { order: 'slug', limit: 9 })).map(
      (one) => one.hasDraft,
    )
  }
  assert.deepEqual(await hasDraft(), [false])
  await saveDraft(world.db, { type, id, input: { ...input, title: 'New' } }, { now: NOW })
  assert.deepEqual(await hasDraft(), [true])
  const draft = await findEntryDraft(world.db, id)
  await discardDraft(world.db, { id, versionId: draft?.version.id ?? 0 })
  assert.deepEqual(await hasDraft(), [false])
})

test('a long list continues where a page of it ended, in either order', async () => {
  const type = await world.type('testimonials')
  const values = { title: '', status: 'draft', body: '', data: {}, isGenerated: false } as const
  const some = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => ({ slug: `q-${from + i}`, ...values }))
  await insertEntries(world.db, type.id, some(100, 126), { now: LATER.toISOString() })
  await insertEntries(world.db, type.id, some(126, 152), { now: NOW.toISOString() })
  const page = (query: string) => loadListPage(world.db, type, readListQuestion(new URLSearchParams(query)))
  for (const order of ['slug', 'changed']) {
    const first = await page(`q=q-&order=${order}`)
    const second = await page(`q=q-&order=${order}&after=${first.next}`)
    assert.deepEqual([first.entries.length, second.entries.length, second.next], [50, 2, undefined], order)
    const slugs = slugsOf([...first.entries, ...second.entries])
    const bySlug = slugsOf(some(100, 152))
    const byChange = [...slugsOf(some(100, 126)).reverse(), ...slugsOf(some(126, 152)).reverse()]
    assert.deepEqual(slugs, order === 'slug' ? bySlug : byChange, order)
    assert.deepEqual(
      first.taxonomies.map(({ taxonomy }) => taxonomy.slug),
      ['locations', 'service_categories'],
    )
  }
  assert.deepEqual((await countEntriesByType(world.db)).get(type.id), { draft: 52, published: 0 })
})

test('entries have the names that people know', async () => {
  const service = await world.saved('services', aService(['tulsa'], { slug: 'q-name', title: 'Tiles' }))
  const [pair] = await world.offers(service)
  const ann = await addEntry(world.db, 'testimonials', { slug: 'q-ann' })
  const ids = [service, pair?.id ?? 0, ann]
  assert.deepEqual(
    [...(await listNamesById(world.db, ids)).values()].sort((one, other) => one.id - other.id),
    [
      { id: service, type: 'services', name: 'Tiles', hasPage: true },
      { id: pair?.id, type: 'location_services', name: 'Tiles in Tulsa', hasPage: true },
      { id: ann, type: 'testimonials', name: 'q-ann', hasPage: false },
    ],
  )
  assert.deepEqual(await listNamesById(world.db, []), new Map())
  const names = await listEntryNames(world.db, ids)
  assert.deepEqual(
    ids.map((id) => names.get(id)),
    ['Tiles', 'Tiles in Tulsa', 'q-ann'],
  )
  assert.equal(await findEntryName(world.db, { id: pair?.id ?? 0, title: '', slug: 'x' }), 'Tiles in Tulsa')
  assert.equal(await findEntryName(world.db, { id: ann, title: 'Ann', slug: 'x' }), 'Ann')
  assert.equal(await findEntryName(world.db, { id: 0, title: '', slug: 'gone' }), 'gone')
  assert.deepEqual([...(await listEntriesById(world.db, ids)).keys()].sort(), ids.toSorted())
  assert.deepEqual(await listEntriesById(world.db, []), new Map())
  const types = [(await world.type('services')).id, (await world.type('location_services')).id]
  const named = await listPagesNamed(world.db, types, { words: ['q-name'], limit: 9 })
  assert.deepEqual(named, [
    { typeId: types[0], slug: 'q-name', title: 'Tiles', serviceTitle: null, placeName: null },
    { typeId: types[1], slug: 'q-name/tulsa', title: '', serviceTitle: 'Tiles', placeName: 'Tulsa' },
  ])
  assert.deepEqual(await listPagesNamed(world.db, [], { words: [], limit: 9 }), [])
  const wanted = [
    { typeId: types[0] ?? 0, slug: 'q-name' },
    { typeId: types[0] ?? 0, slug: 'q-name/tulsa' },
  ]
  assert.deepEqual(slugsOf(await findPublishedEntries(world.db, wanted)), ['q-name'])
  assert.deepEqual(await findPublishedEntries(world.db, []), [])
  const added = await listPagesAddedAt(world.db, NOW.toISOString(), { limit: 1 })
  assert.equal(added[0]?.type, 'location_services')
  assert.deepEqual(await listPagesAddedAt(world.db, at(0).toISOString(), { limit: 1 }), [])
})

test('published pages are found by words and phone numbers in their texts', async () => {
  const add = (slug: string, values: object) => addEntry(world.db, 'pages', { slug, ...values })
  await add('q-w1', { title: 'Acme', body: 'Ask Acme\nRoofs today' })
  await add('q-w2', { title: 'B', data: { intro: 'By Acme\nRoofs, “Inc.”' } })
  await add('q-w3', { title: 'C', body: 'Acme Roofs', status: 'draft' })
  await add('q-w4', { title: 'D', body: 'acme roofs', redirectFrom: ['/q-former'] })
  await add('q-w5', { title: 'E', body: 'Acme Roofs Limited. Call (512) 555\u20110142.' })
  const found = async (value: string, more = {}, limit = 9) => {
    const { pages, count } = await listPublishedWith(world.db, { value, ...more }, { limit })
    return [pages.map(({ name }) => name).join(), count]
  }
  assert.deepEqual(await found('Acme Roofs'), ['Acme,B,E', 3])
  assert.deepEqual(await found('Acme Roofs', {}, 1), ['Acme', 3])
  assert.deepEqual(await found('Acme Roofs', { except: 'Acme Roofs Limited' }), ['Acme,B', 2])
  assert.deepEqual(await found('', { digits: '5125550142' }), ['E', 1])
  assert.deepEqual(await found('', { digits: '5125550143' }), ['', 0])
  const long = 'Acme Roofs Limited. Call (512) 555\u20110142.'
  assert.deepEqual(await listLongTexts(world.db, 'pages', { over: 39 }), [long])
  assert.deepEqual(await listLongTexts(world.db, 'pages', { over: 40 }), [])
  assert.deepEqual(await listLongTexts(world.db, 'services', { over: 3 }), [])
  const former = (await listFormerAddresses(world.db)).find(({ slug }) => slug === 'q-w4')
  assert.deepEqual([former?.title, former?.redirectFrom], ['D', ['/q-former']])
})

test('pictures in new entries count as used', async () => {
  const type = await world.type('pages')
  const values = { title: '', status: 'draft', body: '', data: {}, isGenerated: false } as const
  const entries = [
    { ...values, slug: 'q-p1', body: '![a](q-a.jpg)' },
    { ...values, slug: 'q-p2', data: { picture: 'q-b.jpg' } },
  ]
  const ids = await insertEntries(world.db, type.id, entries, { now: NOW.toISOString() })
  assert.deepEqual(await listEntriesNaming(world.db, 'q-a.jpg', 9), [ids.get('q-p1')])
  assert.deepEqual(await listEntriesNaming(world.db, 'q-b.jpg', 9), [ids.get('q-p2')])
})

test('a copied entry gets an ID of its own, or the given one', async () => {
  const type = await world.type('pages')
  const first = { title: '', status: 'draft', body: '', data: {}, isGenerated: false, slug: 'q-c1' } as const
  const clock = { now: NOW.toISOString() }
  const id = (await insertEntries(world.db, type.id, [first], clock)).get('q-c1') ?? 0
  const copies = ['q-c2', 'q-c3'].map((slug) => ({ ...first, id, slug }))
  const ids = await insertEntries(world.db, type.id, copies, {
    ...clock,
    ids: new Map([['q-c3', id + 9]]),
  })
  assert.deepEqual([...ids.values()], [id + 1, id + 9])
})

test('an entry is public while it is published and within its schedule, in memory and in a query', async () => {
  const cases = [
    [null, null, true],
    [-1, null, true],
    [0, null, true],
    [1, null, false],
    [null, 1, true],
    [null, 0, false],
    [null, -1, false],
    [-1, 1, true],
    [1, 2, false],
  ] as const
  const timeOf = (minutes: number | null) => (minutes === null ? null : at(minutes).toISOString())
  const query = world.db.selectFrom('content_entries').select('slug')
  for (const [index, [from, until, isPublic]] of cases.entries()) {
    const schedule = { publishAt: timeOf(from), unpublishAt: timeOf(until) }
    for (const status of ['published', 'draft'] as const) {
      const slug = `q-s${index}-${status}`
      await addEntry(world.db, 'testimonials', { slug, status, ...schedule })
      const isShown = isPublic && status === 'published'
      assert.equal(isPublicAt({ status, ...schedule }, at(0)), isShown, slug)
      const own = query.where('slug', '=', slug)
      assert.equal((await own.where((row) => isShownAt(row, at(0))).execute()).length, isShown ? 1 : 0, slug)
      const off = await own.where((row) => isScheduledOff(row, at(0))).execute()
      assert.equal(off.length, isPublic ? 0 : 1, slug)
    }
  }
  await world.db.deleteFrom('content_entries').where('slug', 'like', 'q-s%').execute()
})

test('schedules show and hide published entries in order of time', async () => {
  const service = await world.saved('services', aService([], { slug: 'q-m', title: 'M' }))
  const data = { service_entry_id: service, location_term_id: world.place('tulsa') }
  const id = (slug: string, values: object) => addEntry(world.db, 'pages', { slug, title: slug, ...values })
  const times = { publishAt: at(10).toISOString(), unpublishAt: at(30).toISOString() }
  const both = await id('q-m1', times)
  await id('q-m2', { ...times, status: 'draft' })
  const pair = await addEntry(world.db, 'location_services', {
    ...{ slug: 'q-m/tulsa', data },
    unpublishAt: at(20).toISOString(),
  })
  const after = at(0).toISOString()
  assert.deepEqual(await listScheduledMoments(world.db, { after, limit: 9 }), [
    { at: at(10).toISOString(), event: 'appears', entry: { id: both, typeSlug: 'pages', name: 'q-m1' } },
    {
      ...{ at: at(20).toISOString(), event: 'goes' },
      entry: { id: pair, typeSlug: 'location_services', name: 'M in Tulsa' },
    },
    { at: at(30).toISOString(), event: 'goes', entry: { id: both, typeSlug: 'pages', name: 'q-m1' } },
  ])
  assert.equal((await listScheduledMoments(world.db, { after, limit: 2 })).length, 2)
  const next = async (minutes: number) => findNextScheduledMoment(world.db, at(minutes).toISOString())
  assert.deepEqual(
    [await next(0), await next(10), await next(20), await next(30)],
    [at(10).toISOString(), at(20).toISOString(), at(30).toISOString(), undefined],
  )
  const due = (from: number, to: number) =>
    listEntryIdsDue(world.db, at(from).toISOString(), at(to).toISOString())
  assert.deepEqual(await due(0, 9), [])
  assert.deepEqual(await due(9, 10), [both])
  assert.deepEqual(await due(10, 19), [])
  assert.deepEqual(new Set(await due(40, 0)), new Set([both, pair]))
  const shown = async (minutes: number) => countShownEntries(world.db, at(minutes))
  const [first, second, third] = [await shown(0), await shown(10), await shown(30)]
  assert.deepEqual([second - first, third - first], [1, -1])
  assert.equal(await hasShownEntries(world.db, at(0), first), true)
  assert.equal(await hasShownEntries(world.db, at(0), first + 1), false)
  await world.db.deleteFrom('content_entries').where('slug', 'like', 'q-m%').execute()
})

test('services are in the places where the site shows them at a time', async () => {
  const service = await world.saved('services', aService(['austin', 'dallas'], { slug: 'q-o', title: 'O' }))
  const [austin, dallas, tulsa] = ['austin', 'dallas', 'tulsa'].map(world.place)
  assert.ok(austin && dallas && tulsa)
  const fields = { service_entry_id: service, location_term_id: 'tulsa', local_testimonials: '' }
  const ann = await world.saved('testimonials', { slug: 'q-ann2', title: 'A', fields: { author: 'A' } })
  const id = await world.saved('location_services', {
    fields: { ...fields, local_testimonials: String(ann) },
    publishAt: NOW.toISOString(),
    unpublishAt: LATER.toISOString(),
  })
  for (const [moment, isShown] of [
    [NOW, true],
    [EARLIER, false],
    [LATER, false],
  ] as const) {
    const places: Set<number> = new Set(isShown ? [austin, dallas, tulsa] : [austin, dallas])
    const ids = slugsOf(await world.offers(service))
    assert.deepEqual((await listPlacesOfServices(world.db, moment)).get(service), places)
    assert.equal(ids.length, 3)
    const near = await listPlacesNear(world.db, { serviceIds: [service], locationIds: [] }, moment)
    assert.deepEqual(near, new Map([[service, places]]))
    const there = await listPlacesNear(world.db, { serviceIds: [], locationIds: [tulsa] }, moment)
    assert.equal(there.get(service)?.has(tulsa) ?? false, isShown)
    assert.equal((await listEntryIdsAt(world.db, [tulsa], moment)).includes(id), isShown)
    assert.equal((await listEntryIdsOf(world.db, [service], moment)).length, places.size)
    const pairs = await listPairsOfServices(world.db, [service], moment)
    assert.deepEqual(new Set(pairs.map(({ locationId }) => locationId)), places)
    assert.deepEqual(await listEntryIdsWithTestimonials(world.db, moment), isShown ? [id] : [])
  }
  assert.deepEqual(await listEntryIdsAt(world.db, [], NOW), [])
})

test('the texts of published local pages are listed, empty for generated ones', async () => {
  const service = await world.saved('services', aService(['austin', 'dallas'], { slug: 'q-c', title: 'C' }))
  const own = (place: string) => ({ service_entry_id: service, location_term_id: place, intro: 'Hi' })
  const [austin] = await world.offers(service)
  await world.saved('location_services', { body: 'Text', fields: own('austin') }, austin?.id)
  await world.saved('location_services', { body: 'Draft', status: 'draft', fields: own('tulsa') })
  const contents = (await listPublishedContents(world.db, [service])).toSorted((one, other) =>
    compareText(one.body, other.body),
  )
  assert.deepEqual(contents, [
    { serviceId: service, body: '', data: {} },
    { serviceId: service, body: 'Text', data: { ...own('austin'), location_term_id: world.place('austin') } },
  ])
  assert.deepEqual(await listPublishedContents(world.db, []), [])
  assert.deepEqual(await listOfferGroups(world.db, []), [])
  const groups = (await listOfferGroups(world.db, [service])).map(({ status, isGenerated, locationIds }) =>
    [status, isGenerated, ...locationIds].join(),
  )
  assert.deepEqual(groups.toSorted(), [
    `draft,false,${world.place('tulsa')}`,
    `published,false,${world.place('austin')}`,
    `published,true,${world.place('dallas')}`,
  ])
  const counts = await countOffers(world.db)
  assert.ok((counts.find(({ status, isGenerated }) => status === 'draft' && !isGenerated)?.count ?? 0) > 0)
})

test('the entries that the site shows are divided into ranges and batches of a size', async () => {
  await insertContentType(world.db, 'q-type', {
    ...{ name: 'Q', description: null, sortOrder: 90, fields: [] },
    ...{ isRoutable: false, routePattern: null, detailPartial: null },
  })
  const type = await world.type('q-type')
  const add = (slug: string, more = {}) => addEntry(world.db, 'q-type', { slug, ...more })
  for (const slug of ['a', 'b', 'c', 'd', 'e']) await add(slug)
  await add('b2', { status: 'draft', body: '100%' })
  await add('c2', { publishAt: at(0).toISOString() })
  const shown = { shownAt: NOW }
  const ranges = await listSlugRanges(world.db, type.id, { ...shown, size: 2 })
  assert.deepEqual(ranges, [
    { after: null, through: 'b' },
    { after: 'b', through: 'd' },
    { after: 'd', through: null },
  ])
  const inRanges = ranges.map((range) => listEntries(world.db, type.id, { ...shown, range }))
  assert.deepEqual((await Promise.all(inRanges)).map(slugsOf), [['a', 'b'], ['c', 'd'], ['e']])
  const batches = []
  for await (const batch of streamEntries(world.db, type.id, { ...shown, batchSize: 2 }))
    batches.push(slugsOf(batch))
  assert.deepEqual(batches, [['a', 'b'], ['c', 'd'], ['e']])
  const found = async (filter: Parameters<typeof listEntries>[2]) =>
    slugsOf(await listEntries(world.db, type.id, filter))
  assert.deepEqual(await found({ status: 'draft' }), ['b2'])
  assert.deepEqual(await found({ textHas: '100' }), ['b2'])
  assert.deepEqual(await found({ isGenerated: true }), [])
  assert.equal((await listWrittenEntries(world.db, type.id)).length, 7)
})
