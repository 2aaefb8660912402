import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SchemaField } from '#src/entries/types/schema-field.ts'
import { createFingerprint } from '#src/site/content/fingerprint.ts'
import type { EntryView } from '#src/site/pages/entry-page.ts'
import type { FormPageView } from '#src/site/pages/form-pages.ts'
import { listPages } from '#src/site/pages/list-pages.ts'
import type { LocationServiceView } from '#src/site/pages/location-service-page.ts'
import type { Page } from '#src/site/pages/page.ts'
import type { ServiceView } from '#src/site/pages/service-page.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { addEntry, addPlaces, addProjects, offer } from '../../support/small-site.ts'

const siteUrl = 'https://example.com'

// One service in Austin and Hyde Park; Mueller and Dallas have none.
async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const places = await addPlaces(
    db,
    'usa/texas/austin/hyde-park',
    'usa/texas/austin/mueller',
    'usa/texas/dallas',
  )
  const place = (slug: string) => ({ slug, id: places.get(slug) as number })
  const id = await addEntry(db, 'services', {
    slug: 'ac-repair',
    title: 'AC repair',
    body: 'We fix **it**.',
    data: { summary: 'Cool again.', includes: ['A check'], faq: [{ question: 'When?', answer: 'Today.' }] },
  })
  const service = { slug: 'ac-repair', id }
  await offer(db, service, place('austin'))
  await offer(db, service, place('hyde-park'))
  return { db, service, place }
}

async function pagesOf(db: Awaited<ReturnType<typeof openTestDatabase>>) {
  const pages = new Map<string, Page>()
  for await (const page of listPages(db, { siteUrl })) pages.set(page.path, page)
  return pages
}

function detailOf<Detail>(page: Page | undefined) {
  assert.ok(page)
  return page.view.detail as Detail
}

function localView(page: Page | undefined) {
  return detailOf<LocationServiceView>(page)
}

test('§2.9 a location service is served at /services/{service_slug}/{location_slug} with its partial', async (t) => {
  const { db } = await aSite(t)
  const page = (await pagesOf(db)).get('/services/ac-repair/austin')
  assert.equal(page?.partial, 'location_service_detail')
  assert.equal(page?.view.head.canonicalUrl, 'https://example.com/services/ac-repair/austin')
})

test('§2.9 rule 5: a location service inherits the content of its service', async (t) => {
  const { db } = await aSite(t)
  const { service, heading, place } = localView((await pagesOf(db)).get('/services/ac-repair/austin'))
  assert.equal(service.bodyHtml, '<p>We fix <strong>it</strong>.</p>')
  assert.deepEqual(service.includes, ['A check'])
  assert.equal(heading, 'AC repair in Austin')
  assert.deepEqual([place.city, place.region], ['Austin', 'Texas'])
})

test('§2.9 rule 5: a location service’s overrides replace inherited content, the rest stays', async (t) => {
  const { db, service, place } = await aSite(t)
  await offer(db, service, place('dallas'), {
    title: 'Cooling in Dallas',
    body: 'Dallas **crews**.',
    data: { city: 'Big D', phone: '214 555 0100', intro: 'Hot here.', address: '1 Main St' },
  })
  const view = localView((await pagesOf(db)).get('/services/ac-repair/dallas'))
  assert.equal(view.heading, 'Cooling in Dallas')
  assert.equal(view.service.bodyHtml, '<p>Dallas <strong>crews</strong>.</p>')
  assert.deepEqual(view.service.faq, [{ question: 'When?', answer: 'Today.' }])
  assert.deepEqual(
    [view.place.city, view.place.phone?.dial, view.place.intro],
    ['Big D', '+12145550100', 'Hot here.'],
  )
})

test('a location service adds its own text to the service’s where {{service}} stands', async (t) => {
  const { db, service, place } = await aSite(t)
  await offer(db, service, place('dallas'), { body: 'Dallas **crews**.\n{{ service }}\n\nCall us.' })
  const text = async () => localView((await pagesOf(db)).get('/services/ac-repair/dallas')).service.bodyHtml
  const [above, below] = ['<p>Dallas <strong>crews</strong>.</p>', '<p>Call us.</p>']
  assert.equal(await text(), [above, '<p>We fix <strong>it</strong>.</p>', below].join('\n'))
  const body = 'Now for $1 & $&.'
  await db.updateTable('content_entries').set({ body }).where('id', '=', service.id).execute()
  assert.equal(await text(), [above, '<p>Now for $1 &amp; $&amp;.</p>', below].join('\n'))
})

test('a term’s description introduces its pages, below their own introduction', async (t) => {
  const { db, service, place } = await aSite(t)
  await db.updateTable('taxonomy_terms').set({ description: 'Clay and hail.' }).execute()
  await offer(db, service, place('dallas'), { data: { intro: 'Hot here.' } })
  const pages = await pagesOf(db)
  const wordsOn = (slug: string) => {
    const { intro, description } = localView(pages.get(`/services/ac-repair/${slug}`)).place
    return [intro, description]
  }
  assert.deepEqual(wordsOn('austin'), ['Clay and hail.', null])
  assert.deepEqual(wordsOn('dallas'), ['Hot here.', 'Clay and hail.'])
})

test('§2.9 local testimonials are those chosen by entry ID, else the nearest ones', async (t) => {
  const { db, service, place } = await aSite(t)
  const ann = await addEntry(db, 'testimonials', {
    slug: 'ann',
    title: 'Ann',
    body: 'Good',
    data: { author: 'Ann' },
  })
  await addEntry(db, 'testimonials', {
    slug: 'bob',
    title: 'Bob',
    data: { author: 'Bob', service: 'ac-repair' },
  })
  await offer(db, service, place('dallas'), { data: { local_testimonials: `${ann}, 999, ${ann}` } })
  const pages = await pagesOf(db)
  const authors = (path: string) => localView(pages.get(path)).testimonials.map(({ author }) => author)
  assert.deepEqual(authors('/services/ac-repair/dallas'), ['Ann'])
  assert.deepEqual(authors('/services/ac-repair/austin'), ['Bob', 'Ann'])
})

test('a testimonial whose title repeats its author has no headline', async (t) => {
  const { db } = await aSite(t)
  const data = { author: 'Ann' }
  await addEntry(db, 'testimonials', { slug: 'ann', title: 'Ann', data })
  await addEntry(db, 'testimonials', { slug: 'ann-2', title: 'Cool again', data })
  const { testimonials } = localView((await pagesOf(db)).get('/services/ac-repair/austin'))
  assert.deepEqual(
    testimonials.map(({ title }) => title),
    ['', 'Cool again'],
  )
})

test('§4 the breadcrumb runs from Home through ancestor terms; a crumb is a link only if its page exists', async (t) => {
  const { db } = await aSite(t)
  const page = (await pagesOf(db)).get('/services/ac-repair/hyde-park')
  assert.deepEqual(page?.view.breadcrumbs, [
    { name: 'Home', path: '/' },
    { name: 'Services', path: '/services' },
    { name: 'AC repair', path: '/services/ac-repair' },
    { name: 'Usa', path: null },
    { name: 'Texas', path: null },
    { name: 'Austin', path: '/services/ac-repair/austin' },
    { name: 'Hyde Park', path: '/services/ac-repair/hyde-park' },
  ])
})

test('a service page lists its places by branch, and leaves out branches without any', async (t) => {
  const { db } = await aSite(t)
  const { places } = detailOf<ServiceView>((await pagesOf(db)).get('/services/ac-repair'))
  const austin = places[0]?.places[0]?.places
  assert.deepEqual(
    austin?.map(({ name, path }) => [name, path]),
    [['Austin', '/services/ac-repair/austin']],
  )
  assert.equal(austin?.[0]?.places[0]?.path, '/services/ac-repair/hyde-park')
})

test('nearby places are the parent, children, and siblings with a page of the same service', async (t) => {
  const { db, service, place } = await aSite(t)
  await offer(db, service, place('dallas'))
  const pages = await pagesOf(db)
  const nearby = (slug: string) => localView(pages.get(`/services/ac-repair/${slug}`)).nearby
  assert.deepEqual(nearby('austin'), {
    parent: null,
    within: [{ name: 'Hyde Park', path: '/services/ac-repair/hyde-park' }],
    beside: [{ name: 'Dallas', path: '/services/ac-repair/dallas' }],
    branch: 'Texas',
    further: [],
    furtherBranch: null,
  })
  assert.deepEqual(nearby('hyde-park').parent, { name: 'Austin', path: '/services/ac-repair/austin' })
})

test('a draft entry has no page, and a draft service has no local pages', async (t) => {
  const { db, service, place } = await aSite(t)
  await offer(db, service, place('dallas'), { status: 'draft' })
  assert.equal((await pagesOf(db)).has('/services/ac-repair/dallas'), false)
  await db.updateTable('content_entries').set({ status: 'draft' }).where('id', '=', service.id).execute()
  const paths = [...(await pagesOf(db)).keys()].filter((path) => path.startsWith('/services/'))
  assert.deepEqual(paths, [])
})

test('§2.9 rule 4: a routable type that an administrator adds gets pages at its own route pattern', async (t) => {
  const { db } = await aSite(t)
  await addProjects(db, { key: 'client', label: 'Client', type: 'text' })
  await addEntry(db, 'projects', { slug: '2026/school-roof', title: 'School roof', data: { client: 'City' } })
  const page = (await pagesOf(db)).get('/projects/2026/school-roof')
  assert.equal(page?.partial, 'entry_detail')
  assert.deepEqual(detailOf<EntryView>(page).fields, [
    { key: 'client', label: 'Client', type: 'text', value: 'City' },
  ])
})

test('a list of an own type comes with the labels of its yes/no parts', async (t) => {
  const { db } = await aSite(t)
  const parts: SchemaField[] = [
    { key: 'name', label: 'Name', type: 'text' },
    { key: 'is_certified', label: 'Certified', type: 'boolean' },
  ]
  await addProjects(db, { key: 'crew', label: 'Crew', type: 'list', fields: parts })
  const crew = [{ name: 'Ann', is_certified: true }]
  await addEntry(db, 'projects', { slug: '2026/roof', title: 'Roof', data: { crew } })
  const [field] = detailOf<EntryView>((await pagesOf(db)).get('/projects/2026/roof')).fields
  assert.deepEqual([field?.value, field?.labels], [crew, { is_certified: 'Certified' }])
})

test('two entries with one address are refused and both named', async (t) => {
  const { db } = await aSite(t)
  await addEntry(db, 'pages', { slug: 'services', title: 'Services' })
  await assert.rejects(pagesOf(db), /Two pages have the address \/services/)
})

test('§1.7 no address below /taxonomy exists', async (t) => {
  const { db } = await aSite(t)
  assert.deepEqual(
    [...(await pagesOf(db)).keys()].filter((path) => path.startsWith('/taxonomy')),
    [],
  )
})

test('§3 only an active form has a page and a thanks page', async (t) => {
  const { db } = await aSite(t)
  assert.ok((await pagesOf(db)).has('/forms/waitlist/thanks'))
  for (const status of ['draft', 'archived'] as const) {
    await db.updateTable('forms').set({ status }).execute()
    assert.deepEqual(
      [...(await pagesOf(db)).keys()].filter((path) => path.startsWith('/forms/')),
      [],
    )
  }
})

test('a map that is not on the web is not linked', async (t) => {
  const { db, service, place } = await aSite(t)
  await offer(db, service, place('dallas'), { data: { map_embed_url: 'javascript:alert(1)' } })
  assert.equal(localView((await pagesOf(db)).get('/services/ac-repair/dallas')).place.mapEmbedUrl, null)
})

test('a page keeps its fingerprint until something it shows changes', async (t) => {
  const { db, service, place } = await aSite(t)
  const before = await fingerprintsOf(db)
  assert.deepEqual(await fingerprintsOf(db), before)
  await offer(db, service, place('mueller'))
  const after = await fingerprintsOf(db)
  const changed = [...after].filter(([path, hash]) => before.get(path) !== hash).map(([path]) => path)
  // The new page, its service's list of places, and the places around it that now link to it.
  assert.deepEqual(changed.sort(), [
    '/services/ac-repair',
    '/services/ac-repair/austin',
    '/services/ac-repair/hyde-park',
    '/services/ac-repair/mueller',
  ])
})

test('new templates change a page’s fingerprint, and a new business name changes all', async (t) => {
  const { db } = await aSite(t)
  const before = await fingerprintsOf(db)
  const withOtherTemplates = await fingerprintsOf(db, 'other')
  assert.ok([...before].every(([path, hash]) => withOtherTemplates.get(path) !== hash))
  await saveSiteSettings(db, siteSettings.parse({ name: 'New name' }), { now: new Date().toISOString() })
  const renamed = await fingerprintsOf(db)
  assert.ok([...before].every(([path, hash]) => renamed.get(path) !== hash))
})

async function fingerprintsOf(db: Awaited<ReturnType<typeof openTestDatabase>>, templates = 'templates') {
  const fingerprint = createFingerprint(templates)
  return new Map([...(await pagesOf(db)).values()].map((page) => [page.path, fingerprint(page)]))
}

test('a form with a blank description uses the default one', async (t) => {
  const { db } = await aSite(t)
  await storeForm(db, 'quote', { name: 'Quote', description: ' \n' })
  const page = (await pagesOf(db)).get('/forms/quote')
  assert.match(page?.view.head.description ?? '', /^Quote: fill out /)
  assert.equal(detailOf<FormPageView>(page).form.description, null)
})
