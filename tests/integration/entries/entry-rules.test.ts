import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { checkSlug } from '#src/entries/addresses/check-address.ts'
import { findAddressProblems } from '#src/entries/addresses/entry-addresses.ts'
import { listTermIdsOfEntry, renameEntry } from '#src/entries/entry-lookup-store.ts'
import { entrySubject } from '#src/entries/history/record-entry.ts'
import { resetLocationService } from '#src/entries/offers/reset-location-service.ts'
import { addTerms } from '#src/entries/terms/add-terms.ts'
import { editTerm, loadTaxonomy } from '#src/entries/terms/change-terms.ts'
import { rulesOf } from '#src/entries/types/builtin/registry.ts'
import { insertContentType } from '#src/entries/types/content-type-store.ts'
import { listVersions } from '#src/versions/version-store.ts'
import { sqliteEngine } from '../../support/database.ts'
import { addEntry } from '../../support/small-site.ts'
import { aService, NOW, openWorld, type World } from './entry-world.ts'

const engine = sqliteEngine()
const CLOCK = { now: NOW.toISOString() }
let world: World
before(async () => {
  world = await openWorld(engine)
})
after(() => engine.close())

test('two published entries with one address are named, with the address', async () => {
  const routed = { description: null, isRoutable: true, detailPartial: null, fields: [], sortOrder: 60 }
  for (const [slug, routePattern] of [
    ['r-a', '/{part}/{slug}'],
    ['r-b', '/services/{service}/{slug}'],
    ['r-c', '/r/{slug}'],
  ] as const)
    await insertContentType(world.db, slug, { ...routed, name: slug, routePattern })
  await insertContentType(world.db, 'r-d', {
    ...routed,
    ...{ name: 'r-d', isRoutable: false, routePattern: '/r/{slug}' },
  })
  assert.deepEqual(await findAddressProblems(world.db), [])
  await addEntry(world.db, 'r-a', { slug: 'r/one' })
  await addEntry(world.db, 'r-c', { slug: 'one' })
  await addEntry(world.db, 'r-a', { slug: 'r/two' })
  await addEntry(world.db, 'r-c', { slug: 'two', status: 'draft' })
  await addEntry(world.db, 'r-d', { slug: 'two' })
  await addEntry(world.db, 'r-a', { slug: 'admin/three' })
  await addEntry(world.db, 'r-a', { slug: 'three' })
  await world.saved('services', aService(['austin'], { slug: 'r-s', title: 'S' }))
  await addEntry(world.db, 'r-b', { slug: 'r-s/austin' })
  await addEntry(world.db, 'r-b', { slug: 'r-s/dallas' })
  const shared = (path: string, owner: string) => ({ code: 'address_shared', params: { path, owner } })
  assert.deepEqual(await findAddressProblems(world.db), [
    {
      ...{ typeSlug: 'r-a', slug: 'admin/three' },
      fault: { code: 'address_reserved', params: { path: '/admin/three' } },
    },
    {
      ...{ typeSlug: 'r-c', slug: 'one', fault: shared('/r/one', 'r-a/r/one') },
      owner: { typeSlug: 'r-a', slug: 'r/one' },
    },
    {
      ...{ typeSlug: 'r-b', slug: 'r-s/austin' },
      fault: shared('/services/r-s/austin', 'location_services/r-s/austin'),
      owner: { typeSlug: 'location_services', slug: 'r-s/austin' },
    },
  ])
})

test('a service that a sync renames keeps its local pages and testimonials', async () => {
  const id = await world.saved('services', aService(['tulsa'], { slug: 'r-old', title: 'S' }))
  const add = (slug: string, service: string) =>
    world.saved('testimonials', { slug, title: slug, fields: { author: 'A', service } })
  await world.saved('services', aService([], { slug: 'r-other', title: 'O' }))
  const [ann, bob] = [await add('r-ann', 'r-old'), await add('r-bob', 'r-other')]
  await renameEntry(world.db, id, 'r-new')
  await rulesOf('services').afterRename?.(world.db, { id, from: 'r-old', to: 'r-new' }, CLOCK)
  assert.deepEqual(
    (await world.offers(id)).map(({ slug }) => slug),
    ['r-new/tulsa'],
  )
  assert.deepEqual((await world.entry(ann)).data, { author: 'A', service: 'r-new' })
  assert.deepEqual((await world.entry(bob)).data, { author: 'A', service: 'r-other' })
})

test('the file of a local page names its service, place, and testimonials by slug', async () => {
  const service = await world.saved('services', aService([], { slug: 'r-file', title: 'S' }))
  const ids = []
  for (const slug of ['r-one', 'r-two'])
    ids.push(await world.saved('testimonials', { slug, title: slug, fields: { author: 'A' } }))
  const whole = { slug: 'r-file/austin', fields: { local_testimonials: ['r-two', 'r-gone', 'r-one'] } }
  const plain = { slug: 'r-none/nowhere', fields: {} }
  const dataOf = await rulesOf('location_services').dataOfFiles?.(world.db, [whole, plain])
  assert.deepEqual(dataOf?.(whole), {
    ...{ service_entry_id: service, location_term_id: world.place('austin') },
    local_testimonials: `${ids[1]},${ids[0]}`,
  })
  assert.deepEqual(dataOf?.(plain), { service_entry_id: undefined, location_term_id: undefined })
})

test('a place that gets a former slug back no longer has it as a former one', async () => {
  await addTerms(world.db, 'locations', { text: 'Rome', parentId: null }, { now: NOW })
  const rome = async () => (await loadTaxonomy(world.db, 'locations'))?.tree.byId.get(id)
  const id = (await loadTaxonomy(world.db, 'locations'))?.tree.bySlug.get('rome')?.id ?? 0
  const former = []
  for (const slug of ['roma', 'rom', 'rome', 'rome', 'roma']) {
    const edit = { name: 'Rome', slug, description: null, parentId: null }
    assert.equal((await editTerm(world.db, 'locations', { termId: id, edit }, { now: NOW })).kind, 'saved')
    former.push((await rome())?.formerSlugs.toSorted())
  }
  assert.deepEqual(former, [['rome'], ['roma', 'rome'], ['rom', 'roma'], ['rom', 'roma'], ['rom', 'rome']])
})

test('a service whose patterns follow a renamed place has a version by the person who renamed it', async () => {
  await addTerms(world.db, 'locations', { text: 'Genua', parentId: null }, { now: NOW })
  const service = await world.saved('services', aService(['genua'], { slug: 'r-genua', title: 'G' }))
  const place = (await loadTaxonomy(world.db, 'locations'))?.tree.bySlug.get('genua')
  const edit = { name: 'Genoa', slug: 'genoa', description: null, parentId: null }
  const by = { source: 'admin', email: 'ann@example.com' } as const
  await editTerm(world.db, 'locations', { termId: place?.id ?? 0, edit }, { now: NOW, by })
  assert.deepEqual((await world.entry(service)).data.offered_in, ['genoa'])
  const [version] = await listVersions(world.db, entrySubject(service), { limit: 1 })
  assert.equal(version?.savedBy, 'ann@example.com')
})

test('an entry’s title, text, slug, and redirects have limits', async () => {
  const faults = async (input: Parameters<World['save']>[1]) => {
    const outcome = await world.save('pages', { slug: 'r-page', title: 'T', ...input })
    return outcome.kind === 'invalid' ? outcome.problems : outcome.kind
  }
  const long = 'x'.repeat(200_000)
  const link = '[a](url)'
  assert.deepEqual(await faults({ title: long.slice(0, 201) }), [
    { path: ['title'], code: 'too_long', params: { max: 200 } },
  ])
  assert.deepEqual(await faults({ body: `${link}${long}` }), [
    { path: ['body'], code: 'too_long', params: { max: 200_000 } },
  ])
  assert.deepEqual(await faults({ body: `${link}${long.slice(link.length)}` }), [
    { path: ['body'], code: 'link_relative', params: { address: 'url' } },
  ])
  assert.deepEqual(await faults({ redirectFrom: Array.from({ length: 1_001 }, (_, i) => `/r-${i}`) }), [
    { path: ['redirect_from'], code: 'redirects_many', params: { max: 1_000 } },
  ])
  for (const [slug, fault] of [
    ['', { code: 'entry_slug_missing' }],
    ['a/b', { code: 'entry_slug_slashes' }],
    ['A', { code: 'entry_slug_invalid' }],
    ['admin', { code: 'page_reserved', params: { path: '/admin' } }],
  ] as const)
    assert.deepEqual(await faults({ slug }), [{ path: ['slug'], ...fault }])
  assert.equal(await faults({ title: long.slice(0, 200) }), 'saved')
  assert.deepEqual(checkSlug({ routePattern: '/blog/{year}/{slug}' }, ''), {
    code: 'entry_slug_parts',
    params: { parts: 2, pattern: '/blog/{year}/{slug}' },
  })
  assert.deepEqual(await faults({}), [
    { path: ['slug'], code: 'entry_slug_taken', params: { slug: 'r-page' } },
  ])
})

test('unknown pictures and sections are problems of their input', async () => {
  const faults = async (fields: Record<string, unknown>) => {
    const outcome = await world.save('services', aService([], { slug: 'r-ref', fields }))
    return outcome.kind === 'invalid' ? outcome.problems : outcome.kind
  }
  const noPicture = (path: string[], name: string) => ({ path, code: 'no_picture', params: { name } })
  assert.deepEqual(await faults({ gallery: ['r-none.jpg'] }), [noPicture(['gallery'], 'r-none.jpg')])
  assert.deepEqual(await faults({ hero: 'r-none.jpg' }), [noPicture(['hero'], 'r-none.jpg')])
  const sections = ['steps', 'before_after', 'gallery', 'places', 'reviews', 'faq']
  assert.deepEqual(await faults({ sections: ['steps', 'nearby'] }), [
    { path: ['sections'], code: 'no_section', params: { name: 'nearby', sections } },
  ])
  assert.equal(await faults({ sections: ['none', '-steps', 'faq'] }), 'saved')
})

test('a missing entry can’t be saved or reset', async () => {
  assert.equal((await world.save('pages', { slug: 'r-x', title: 'X' }, 9_999)).kind, 'not_found')
  const page = await world.saved('pages', { slug: 'r-x', title: 'X' })
  for (const id of [9_999, page])
    assert.deepEqual(await resetLocationService(world.db, id, { now: NOW }), { kind: 'not_found' })
})

test('a local page whose file is deleted has nothing of its own any more', async () => {
  const service = await world.saved('services', aService(['austin'], { slug: 'r-rel', title: 'R' }))
  const [offer] = await world.offers(service)
  const fields = { service_entry_id: service, location_term_id: 'austin', intro: 'Hello' }
  const termIds = [world.place('dallas')]
  const own = { title: 'Own', body: 'Own', fields, termIds, redirectFrom: ['/r-rel'] }
  const id = await world.saved('location_services', { ...own, publishAt: CLOCK.now }, offer?.id)
  await rulesOf('location_services').inherits?.release(world.db, await world.entry(id), CLOCK)
  const { title, body, status, data, isGenerated, publishAt, redirectFrom } = await world.entry(id)
  assert.deepEqual(
    { title, body, status, data, isGenerated, publishAt, redirectFrom },
    {
      ...{ title: '', body: '', status: 'published', isGenerated: true, publishAt: null, redirectFrom: [] },
      data: { service_entry_id: service, location_term_id: world.place('austin') },
    },
  )
  assert.deepEqual(await listTermIdsOfEntry(world.db, id), [])
})
