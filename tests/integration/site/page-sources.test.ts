import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Entry, replaceEntryTerms } from '#src/entries/entry-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { loadSiteContent } from '#src/site/content/site-content.ts'
import { explainSameAddress, listPages } from '#src/site/pages/list-pages.ts'
import type { Page } from '#src/site/pages/page.ts'
import { changeMark, entryMark, frameMark } from '#src/site/sources/entry-marks.ts'
import { listPageSources } from '#src/site/sources/page-sources.ts'
import { sourcesOfPage } from '#src/site/sources/sources-of-page.ts'
import { insertTaxonomy, insertTerms } from '#src/taxonomies/taxonomy-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { aPicture } from '../../support/pictures.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const NOW = '2026-11-20T10:00:00.000Z'
const siteUrl = 'https://example.com'

type Database = Awaited<ReturnType<typeof openTestDatabase>>

const load = (db: Database) => loadSiteContent(db, { siteUrl, now: new Date(NOW) })

/** Repair in Austin and Waco, a review, a page, a form, a picture, and an archive of brands. */
async function fill(db: Database) {
  const places = await addPlaces(db, 'texas/austin/hyde-park', 'texas/waco', 'ohio')
  const id = (slug: string) => places.get(slug) ?? 0
  await savePicture(db, aPicture({ name: 'van.jpg' }), { now: NOW })
  const data = { hero: 'van.jpg', form: 'quote' }
  const repair = await addEntry(db, 'services', { slug: 'repair', title: 'Repair', data })
  const service = { slug: 'repair', id: repair }
  const austin = await offer(db, service, { slug: 'austin', id: id('austin') })
  for (const slug of ['waco', 'hyde-park']) await offer(db, service, { slug, id: id(slug) })
  const review = await addEntry(db, 'testimonials', {
    slug: 'ann',
    title: 'Ann',
    data: { service: 'repair' },
  })
  const about = await addEntry(db, 'pages', { slug: 'about', title: 'About', body: '![](van.jpg)' })
  const form = await storeForm(db, 'quote', { name: 'Quote' })
  const pages = await findContentType(db, 'pages')
  const brands = await insertTaxonomy(db, 'brands', {
    ...{ name: 'Brands', description: null, isHierarchical: false, hasArchive: true, sortOrder: 50 },
    appliesToTypeIds: [pages?.id ?? 0],
  })
  const term = { slug: 'acme', name: 'Acme', parentId: null, position: 0, description: 'Makers' }
  const acme = (await insertTerms(db, brands, [term])).get('acme') ?? 0
  await replaceEntryTerms(db, pages?.id ?? 0, new Map([[about, [acme]]]))
  return { ids: { repair, austin, review, about, form: form.id, brands, acme }, placeId: id }
}

test('the sources of a site are its settings, types, forms, services, reviews, pictures, terms, and archives', async (t) => {
  const db = await openTestDatabase(t)
  const { ids, placeId } = await fill(db)
  const content = await load(db)
  const sources = [...listPageSources(content)]
  const labels = new Map(sources.map(({ key, label }) => [key, label]))
  assert.equal(labels.size, sources.length)
  for (const [key, label] of [
    ['setting:site_url', 'SITE_URL'],
    ['setting:name', 'name'],
    ['type:services', 'Services'],
    [`form:${ids.form}`, 'Quote'],
    [`service:${ids.repair}`, 'Repair'],
    [`service-text:${ids.repair}`, 'Repair'],
    [`testimonial:${ids.review}`, 'Ann'],
    [`testimonial-text:${ids.review}`, 'Ann'],
    ['pages', 'footer'],
    ['picture:van.jpg', 'van.jpg'],
    [`term:${placeId('austin')}`, 'Austin'],
    [`taxonomy:${ids.brands}`, 'Brands'],
    [`term:${ids.acme}`, 'Acme'],
    [`term-text:${ids.acme}`, 'Acme'],
  ] as const)
    assert.equal(labels.get(key), label, key)
  assert.ok(!labels.has(`term-text:${placeId('austin')}`))
  for (const { hash } of sources) assert.match(hash, /^[0-9a-f]{8}$/)
})

test('a source changes only with its own part', async (t) => {
  const db = await openTestDatabase(t)
  const { ids, placeId } = await fill(db)
  const hashes = async () => new Map([...listPageSources(await load(db))].map(({ key, hash }) => [key, hash]))
  let before = await hashes()
  const changedBy = async (change: Promise<unknown>) => {
    await change
    const after = await hashes()
    const keys = new Set([...before.keys(), ...after.keys()])
    const changed = [...keys].filter((key) => before.get(key) !== after.get(key))
    before = after
    return changed.sort()
  }
  const entry = (id: number, values: object) =>
    db.updateTable('content_entries').set(values).where('id', '=', id).execute()
  const term = (id: number, values: object) =>
    db.updateTable('taxonomy_terms').set(values).where('id', '=', id).execute()
  assert.deepEqual(await changedBy(entry(ids.repair, { body: 'Text' })), [`service-text:${ids.repair}`])
  assert.deepEqual(await changedBy(entry(ids.repair, { title: 'Cooling' })), [`service:${ids.repair}`])
  assert.deepEqual(await changedBy(entry(ids.review, { body: 'Good' })), [`testimonial-text:${ids.review}`])
  assert.deepEqual(await changedBy(entry(ids.review, { updated_at: '2026-11-21T10:00:00.000Z' })), [])
  const austin = placeId('austin')
  assert.deepEqual(await changedBy(term(austin, { description: 'Capital' })), [`term-text:${austin}`])
  assert.deepEqual(await changedBy(term(ids.acme, { name: 'Ajax' })), [`term:${ids.acme}`])
  const picture = savePicture(db, aPicture({ name: 'van.jpg', alt: 'A van' }), { now: NOW })
  assert.deepEqual(await changedBy(picture), ['picture:van.jpg'])
  assert.equal(changeMark(undefined), '00000000')
})

test('a page shows the sources of every page, and only its own of the others', async (t) => {
  const db = await openTestDatabase(t)
  const { ids, placeId } = await fill(db)
  const content = await load(db)
  const waitlist = `form:${content.forms.get('waitlist')?.id}`
  const keys = [
    ...['setting:phone', 'setting:home', 'setting:default_form', 'pages', `service:${ids.repair}`],
    ...[`service-text:${ids.repair}`, 'service-text:99', 'type:services', 'type:location_services'],
    ...[`form:${ids.form}`, waitlist, `testimonial:${ids.review}`, `testimonial-text:${ids.review}`],
    ...['austin', 'waco', 'hyde-park', 'texas', 'ohio'].map((slug) => `term:${placeId(slug)}`),
    ...[`term-text:${placeId('austin')}`, `term-text:${placeId('waco')}`, 'picture:van.jpg', 'picture:x.jpg'],
  ]
  const all = ['setting:phone', 'pages', `service:${ids.repair}`]
  const shownOn = (key: string) => sourcesOfPage(content, { page: { key } as Page }, keys).sort()
  assert.deepEqual(shownOn('fixed:home'), keys.toSorted())
  assert.deepEqual(shownOn(`entry:${ids.repair}`), keys.toSorted())
  assert.deepEqual(shownOn(`thanks:${ids.form}`), [...all, `form:${ids.form}`].sort())
  assert.deepEqual(shownOn(`entry:${ids.about}`), [...all, `form:${ids.form}`, waitlist].sort())
  const place = [
    ...['type:location_services', 'type:services', 'setting:default_form', `service-text:${ids.repair}`],
    ...[`form:${ids.form}`, `testimonial:${ids.review}`, `testimonial-text:${ids.review}`, 'picture:van.jpg'],
  ]
  const terms = ['austin', 'waco', 'hyde-park', 'texas'].map((slug) => `term:${placeId(slug)}`)
  const austin = `place:${ids.repair}:${placeId('austin')}`
  assert.deepEqual(shownOn(austin), [...all, ...place, ...terms, `term-text:${placeId('austin')}`].sort())
  assert.deepEqual(shownOn(`place:${ids.repair}:9999`), [...all, ...place].sort())
})

test('the marks of an entry change with what its page, or other pages, show of it', async (t) => {
  const db = await openTestDatabase(t)
  const { ids } = await fill(db)
  const content = await load(db)
  const service = content.services.get(ids.repair)
  assert.ok(service)
  const place = { ...service, id: ids.austin, typeId: content.types.get('location_services')?.id ?? 0 }
  const changes = (mark: (entry: Entry) => string, entry: Entry, change: object) =>
    mark(entry) !== mark({ ...entry, ...change })
  const [whole, frame] = [
    (entry: Entry) => entryMark(content, entry),
    (entry: Entry) => frameMark(content, entry),
  ]
  assert.match(whole(service), /^[0-9a-f]{16}$/)
  for (const [change, ofService, ofPlace] of [
    [{ title: 'Cooling' }, true, false],
    [{ slug: 'cooling' }, true, true],
    [{ body: 'Text' }, false, false],
    [{ body: '[Ask](/forms/quote)' }, true, true],
    [{ data: { ...service.data, icon: 'fan' } }, true, false],
    [{ data: { ...service.data, form: 'other' } }, true, true],
    [{ data: { ...service.data, summary: 'New' } }, false, false],
  ] as const) {
    const seen: boolean[] = [changes(frame, service, change), changes(frame, place, change)]
    assert.deepEqual(seen, [ofService, ofPlace], JSON.stringify(change))
    assert.ok(changes(whole, service, change))
  }
  // Offers are shown by the pages of the places.
  const offered = { ...service, data: { ...service.data, offered_in: ['austin'] } }
  const more = {
    data: { ...service.data, offered_in: ['austin', 'waco'] },
    updatedAt: NOW.replace('20', '21'),
  }
  assert.equal(changes(whole, offered, more), false)
})

test('pages that share an address are named, and types without pages have none', async (t) => {
  const db = await openTestDatabase(t)
  await fill(db)
  await addEntry(db, 'pages', { slug: 'contact', title: 'Contact' })
  const explain = async (path: string) => explainSameAddress(db, await load(db), path)
  assert.equal(await explain('/about'), undefined)
  assert.equal(await explain('/nowhere'), undefined)
  await db
    .updateTable('content_types')
    .set({ route_pattern: '/{slug}' })
    .where('slug', '=', 'services')
    .execute()
  await addEntry(db, 'services', { slug: 'about', title: 'About us' })
  assert.match((await explain('/about')) ?? '', /\/about.*About.*About/)
  const paths = async () => {
    const found: string[] = []
    for await (const { path } of listPages(db, { siteUrl, now: new Date(NOW) })) found.push(path)
    return found
  }
  const unroutable = { is_routable: 0 as const, route_pattern: null }
  await db.updateTable('content_types').set(unroutable).where('slug', '=', 'services').execute()
  const left = await paths()
  assert.ok(left.includes('/about') && !left.includes('/repair'))
})
