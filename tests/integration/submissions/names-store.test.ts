import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  listCalled,
  listNamed,
  listNamesOfPlaces,
  listPlaceNames,
  listPlacesAndRenamed,
  listPlacesBySlug,
  listRenamed,
  listServiceNames,
  listServicesBySlug,
  listServicesByTitle,
} from '#src/submissions/search/names-store.ts'
import { nameSubmissions } from '#src/submissions/search/submission-names.ts'
import { insertTerms } from '#src/taxonomies/taxonomy-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'

/** Places and services, some renamed, and a page and a term of another taxonomy with the same slugs. */
async function storeNames(t: Parameters<typeof openTestDatabase>[0]) {
  const db = await openTestDatabase(t)
  const places = await addPlaces(db, 'ohio/dayton', 'ohio/akron')
  const idOf = (slug: string) => places.get(slug) ?? 0
  const roofing = await addEntry(db, 'services', { slug: 'roofing', title: 'Roofing' })
  const drains = await addEntry(db, 'services', { slug: 'drains', title: 'Drains' })
  await addEntry(db, 'pages', { slug: 'roofing', title: 'About roofing' })
  const { id: taxonomy_id } = await db
    .insertInto('taxonomies')
    .values({ slug: 'topics', name: 'Topics' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertTerms(db, taxonomy_id, [
    { slug: 'dayton', name: 'Topic', description: null, parentId: null, position: 0 },
  ])
  const former_slugs_json = '["day-town","dayton-old"]'
  await db.updateTable('taxonomy_terms').set({ former_slugs_json }).where('id', '=', idOf('dayton')).execute()
  await db
    .updateTable('taxonomy_terms')
    .set({ former_slugs_json: '["rubber-city"]' })
    .where('id', '=', idOf('akron'))
    .execute()
  await db.deleteFrom('former_names').execute()
  await db
    .insertInto('former_names')
    .values([
      { term_id: idOf('dayton'), entry_id: null, slug: 'dayton-old', name: 'Old Dayton' },
      { term_id: null, entry_id: roofing, slug: 'roofs', name: 'Roofs' },
      { term_id: null, entry_id: roofing, slug: 'roofing', name: 'Roof work' },
    ])
    .execute()
  return { db, idOf, roofing, drains }
}

const told = (named: readonly { name: string; slugs: string[]; formerNames: string[] }[]) =>
  named.map(({ name, slugs, formerNames }) => [name, slugs.join(), formerNames.toSorted().join()]).sort()

const DAYTON = ['Dayton', 'dayton,day-town,dayton-old', 'Old Dayton']
const ROOFING = ['Roofing', 'roofing,roofs', 'Roof work,Roofs']
const [AKRON, OHIO, DRAINS] = [
  ['Akron', 'akron,rubber-city', ''],
  ['Ohio', 'ohio', ''],
  ['Drains', 'drains', ''],
]

test('places and services are listed with their former names', async (t) => {
  const { db, idOf, roofing } = await storeNames(t)
  assert.deepEqual(told(await listPlaceNames(db)), [AKRON, DAYTON, OHIO])
  assert.deepEqual(told(await listServiceNames(db)), [DRAINS, ROOFING])
  assert.deepEqual(told(await listRenamed(db)), [AKRON, DAYTON, ROOFING])
  const { places, renamed } = await listPlacesAndRenamed(db)
  assert.deepEqual(told(places), [AKRON, DAYTON, OHIO])
  assert.deepEqual(told(renamed), [AKRON, DAYTON, ROOFING])
  assert.deepEqual(
    renamed.map(({ kind, id }) => `${kind} ${id}`).sort(),
    [`place ${idOf('dayton')}`, `place ${idOf('akron')}`, `service ${roofing}`].sort(),
  )
  const formerOf = (name: string) => renamed.find((one) => one.name === name)?.former
  assert.deepEqual(formerOf('Akron'), [])
  assert.deepEqual(
    formerOf('Roofing')
      ?.map(({ slug, name }) => `${slug}: ${name}`)
      .sort(),
    ['roofing: Roof work', 'roofs: Roofs'],
  )
})

test('those of given slugs are listed together with all renamed ones, once', async (t) => {
  const { db } = await storeNames(t)
  assert.deepEqual(told(await listNamed(db, { places: [], services: [] })), [AKRON, DAYTON, ROOFING])
  const slugs = { places: ['ohio', 'dayton', 'drains'], services: ['drains', 'akron', 'roofs'] }
  assert.deepEqual(told(await listNamed(db, slugs)), [AKRON, DAYTON, DRAINS, OHIO, ROOFING])
})

test('current names are found by ID and by slug, in places and services only', async (t) => {
  const { db, idOf, roofing, drains } = await storeNames(t)
  const [dayton, ohio] = [idOf('dayton'), idOf('ohio')]
  const { lines, services } = await listCalled(db, { places: [dayton, ohio, 999], services: [roofing, 999] })
  const shown = [...lines].map(([id, line]) => [id, line.map(({ name }) => name).join(' in ')])
  assert.deepEqual(shown.sort(), [
    [ohio, 'Ohio'],
    [dayton, 'Dayton in Ohio'],
  ])
  assert.deepEqual([...services], [[roofing, { id: roofing, slug: 'roofing', name: 'Roofing' }]])
  assert.deepEqual(await listCalled(db, {}), { lines: new Map(), services: new Map() })
  const many = Array.from({ length: 501 }, (_, index) => 10_000 + index)
  const far = await listCalled(db, { places: [...many, dayton], services: [drains] })
  assert.deepEqual([far.lines.size, far.services.size], [1, 1])
  const further = await listCalled(db, { places: [dayton], services: [...many, drains] })
  assert.deepEqual([further.lines.size, further.services.size], [1, 1])

  assert.deepEqual([...(await listNamesOfPlaces(db, [null, dayton, dayton, 999]))], [[dayton, 'Dayton']])
  assert.deepEqual((await listNamesOfPlaces(db, [null])).size, 0)
  const bySlug = await listPlacesBySlug(db, ['dayton', 'day-town', 'drains'])
  assert.deepEqual([...bySlug], [['dayton', { id: dayton, slug: 'dayton', name: 'Dayton' }]])
  assert.equal((await listPlacesBySlug(db, [])).size, 0)
  assert.deepEqual(
    [...(await listServicesBySlug(db, ['roofing', 'roofs', 'akron']))],
    [['roofing', 'Roofing']],
  )
  assert.equal((await listServicesBySlug(db, [])).size, 0)
  const [first] = await listServicesByTitle(db, { limit: 1 })
  assert.deepEqual(first, { id: drains, slug: 'drains', name: 'Drains' })
  assert.equal((await listServicesByTitle(db, { limit: 9 })).length, 2)
})

test('a lead of a deleted place has its name then, and the current names of the places above', async (t) => {
  const { db, idOf, roofing } = await storeNames(t)
  const lead = {
    serviceId: roofing,
    locationId: 900,
    locationName: 'Gone',
    locationPath: 'ohio/dayton/akron',
  }
  const known = {
    ...lead,
    serviceId: 901,
    locationId: idOf('dayton'),
    locationName: 'Former',
    locationPath: 'akron/x',
  }
  const nowhere = { serviceId: null, locationId: null, locationName: null, locationPath: null }
  const names = await nameSubmissions(db, [lead, known, nowhere])
  const told = [lead, known, nowhere].map((one) => {
    const { service, place, places, placeIds } = names.get(one) ?? assert.fail()
    return [service?.name, place?.name, places, placeIds]
  })
  const [dayton, ohio] = [idOf('dayton'), idOf('ohio')]
  assert.deepEqual(told, [
    ['Roofing', undefined, ['Gone', 'Dayton', 'Ohio'], [900, dayton, ohio]],
    [undefined, 'Dayton', ['Dayton', 'Ohio'], [dayton, ohio]],
    [undefined, undefined, [], []],
  ])
})
