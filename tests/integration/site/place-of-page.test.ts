import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { deleteEntries } from '#src/entries/entry-store.ts'
import { deleteTerm } from '#src/entries/terms/delete-term.ts'
import { savePublishedAddresses } from '#src/publish/addresses/published-address-store.ts'
import { findPlaceOfPage } from '#src/site/pages/place-of-page.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const AC_REPAIR_IN_AUSTIN = '/services/ac-repair/austin'

// A service in Austin, whose pages are published.
async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const places = await addPlaces(db, 'usa/texas/austin', 'usa/texas/dallas')
  const place = (slug: string) => ({ slug, id: places.get(slug) as number })
  const id = await addEntry(db, 'services', { slug: 'ac-repair', title: 'AC repair' })
  await offer(db, { slug: 'ac-repair', id }, place('austin'))
  await savePublishedAddresses(db, [
    { path: AC_REPAIR_IN_AUSTIN, key: `place:${id}:${place('austin').id}` },
    { path: '/services/ac-repair', key: `entry:${id}` },
  ])
  const rename = (table: 'content_entries' | 'taxonomy_terms', from: string, to: string) =>
    db.updateTable(table).set({ slug: to }).where('slug', '=', from).execute()
  return { db, id, place, rename }
}

const AUSTIN = {
  serviceSlug: 'ac-repair',
  serviceName: 'AC repair',
  serviceId: 1,
  locationSlug: 'austin',
  locationName: 'Austin',
  locationPath: 'usa/texas/austin',
  locationId: 3,
}
const NOWHERE = { locationSlug: null, locationName: null, locationPath: null, locationId: null }

test('contract §6 a page is about its service and its place, with the slugs from the root', async (t) => {
  const { db } = await aSite(t)
  assert.deepEqual(await findPlaceOfPage(db, AC_REPAIR_IN_AUSTIN), AUSTIN)
  assert.deepEqual(await findPlaceOfPage(db, '/services/ac-repair'), {
    serviceSlug: 'ac-repair',
    serviceName: 'AC repair',
    serviceId: 1,
    ...NOWHERE,
  })
  for (const path of ['/services', '/services/ac-repair/dallas', '/services/ac-repair/austin/x', '/'])
    assert.equal(await findPlaceOfPage(db, path), undefined, path)
})

test('contract §6 a page is about its place in any spelling of its address', async (t) => {
  const { db } = await aSite(t)
  for (const path of [`${AC_REPAIR_IN_AUSTIN}/`, `${AC_REPAIR_IN_AUSTIN}.html`])
    assert.deepEqual(await findPlaceOfPage(db, path), AUSTIN)
  assert.equal((await findPlaceOfPage(db, '/services/ac-repair/'))?.serviceSlug, 'ac-repair')
})

test('contract §6 a live page stays about its renamed place, before and after the next publish', async (t) => {
  const { db, rename } = await aSite(t)
  await rename('taxonomy_terms', 'austin', 'austin-tx')
  await rename('content_entries', 'ac-repair/austin', 'ac-repair/austin-tx')
  const renamed = { ...AUSTIN, locationSlug: 'austin-tx', locationPath: 'usa/texas/austin-tx' }
  assert.deepEqual(await findPlaceOfPage(db, AC_REPAIR_IN_AUSTIN), renamed)
  assert.deepEqual(await findPlaceOfPage(db, '/services/ac-repair/austin-tx'), renamed)
})

test('contract §6 a live page stays about its renamed service', async (t) => {
  const { db, rename } = await aSite(t)
  await rename('content_entries', 'ac-repair', 'cooling')
  await rename('content_entries', 'ac-repair/austin', 'cooling/austin')
  assert.deepEqual(await findPlaceOfPage(db, AC_REPAIR_IN_AUSTIN), { ...AUSTIN, serviceSlug: 'cooling' })
  assert.equal((await findPlaceOfPage(db, '/services/ac-repair'))?.serviceSlug, 'cooling')
})

test('contract §6 a live page stays about its place after it was unpublished', async (t) => {
  const { db } = await aSite(t)
  await db.updateTable('content_entries').set({ status: 'draft' }).execute()
  assert.deepEqual(await findPlaceOfPage(db, AC_REPAIR_IN_AUSTIN), AUSTIN)
  assert.equal((await findPlaceOfPage(db, '/services/ac-repair'))?.serviceSlug, 'ac-repair')
})

test('contract §6 a live page stays about its place after its service was deleted', async (t) => {
  const { db, id } = await aSite(t)
  await db.deleteFrom('content_entries').where('slug', '=', 'ac-repair/austin').execute()
  await db.deleteFrom('content_entries').where('id', '=', id).execute()
  assert.deepEqual(await findPlaceOfPage(db, AC_REPAIR_IN_AUSTIN), {
    ...AUSTIN,
    serviceSlug: null,
    serviceName: null,
    serviceId: null,
  })
  assert.equal(await findPlaceOfPage(db, '/services/ac-repair'), undefined)
})

test('contract §6 a live page stays about its service after its place was deleted', async (t) => {
  const { db, id, place } = await aSite(t)
  await deleteTerm(db, 'locations', place('austin').id, { now: new Date() })
  const rest = { ...AUSTIN, ...NOWHERE }
  assert.deepEqual(await findPlaceOfPage(db, AC_REPAIR_IN_AUSTIN), rest)
  await deleteEntries(db, [id])
  assert.equal(await findPlaceOfPage(db, AC_REPAIR_IN_AUSTIN), undefined, 'about neither')
})

test('contract §6 an address belongs to its live page, not to its next one', async (t) => {
  const { db, id, place, rename } = await aSite(t)
  await rename('taxonomy_terms', 'austin', 'austin-tx')
  await rename('content_entries', 'ac-repair/austin', 'ac-repair/austin-tx')
  await rename('taxonomy_terms', 'dallas', 'austin')
  await offer(db, { slug: 'ac-repair', id }, { slug: 'austin', id: place('dallas').id })
  assert.equal((await findPlaceOfPage(db, AC_REPAIR_IN_AUSTIN))?.locationName, 'Austin')
})

test('contract §6 a page is about the new place after a place was deleted and recreated', async (t) => {
  const { db, id, place } = await aSite(t)
  await db.deleteFrom('taxonomy_terms').where('slug', '=', 'austin').execute()
  assert.equal((await findPlaceOfPage(db, AC_REPAIR_IN_AUSTIN))?.locationName, null)
  const { id: newId } = await db
    .insertInto('taxonomy_terms')
    .values({ taxonomy_id: 1, parent_id: place('texas').id, slug: 'austin', name: 'New Austin' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.deleteFrom('content_entries').where('slug', '=', 'ac-repair/austin').execute()
  await offer(db, { slug: 'ac-repair', id }, { slug: 'austin', id: newId })
  assert.equal((await findPlaceOfPage(db, AC_REPAIR_IN_AUSTIN))?.locationName, 'New Austin')
})
