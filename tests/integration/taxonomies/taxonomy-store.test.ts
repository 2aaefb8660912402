import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saveTaxonomy } from '#src/taxonomies/save-taxonomy.ts'
import { taxonomyDefinition, toTaxonomyDefinition } from '#src/taxonomies/taxonomy-definition.ts'
import {
  findTaxonomy,
  insertTerms,
  listPlaces,
  listTaxonomies,
  listTerms,
  listTermsByTaxonomy,
  setTermSlug,
  updateTerm,
} from '#src/taxonomies/taxonomy-store.ts'
import { countLinksByTaxonomy, countTermsByTaxonomy } from '#src/taxonomies/term-change-store.ts'
import { findTermLine } from '#src/taxonomies/term-line-store.ts'
import { buildTermTree } from '#src/taxonomies/term-tree.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'

const TYPES = new Map([
  ['pages', 1],
  ['services', 2],
])

const FILE = {
  ...{ name: 'Brands', description: 'Who made it', is_hierarchical: true, applies_to: ['services', 'pages'] },
  ...{ sort_order: 7, archive: true },
  terms: [
    { slug: 'acme', name: 'Acme', former_slugs: ['acme-inc', 'acme-co'] },
    {
      slug: 'bolt',
      name: 'Bolt',
      description: 'Fast',
      kind: 'area',
      terms: [{ slug: 'bolt-home', name: 'Home' }],
    },
  ],
}

/** Saves as a sync does; `read` is what a file would say then. */
async function aTaxonomy(t: Parameters<typeof openTestDatabase>[0]) {
  const db = await openTestDatabase(t)
  const save = (file: object) =>
    saveTaxonomy(db, 'brands', taxonomyDefinition.parse(file), {
      typeIds: TYPES,
      saving: { now: '2026-11-20T10:00:00.000Z' },
    })
  const terms = async () => listTerms(db, (await findTaxonomy(db, 'brands'))?.id ?? 0)
  const read = async () => {
    const taxonomy = await findTaxonomy(db, 'brands')
    assert.ok(taxonomy)
    const typeSlugs = new Map([...TYPES].map(([slug, id]) => [id, slug]))
    return toTaxonomyDefinition(taxonomy, buildTermTree(await terms()), { typeSlugs })
  }
  await save(FILE)
  return { db, save, read, terms }
}

test('a taxonomy from a file reads back with every property of its terms', async (t) => {
  const { save, read } = await aTaxonomy(t)
  const [acme, bolt] = FILE.terms
  assert.deepEqual(await read(), {
    ...FILE,
    terms: [
      { ...acme, description: null, terms: [] },
      { ...bolt, terms: [{ ...bolt?.terms?.[0], description: null, terms: [] }] },
    ],
  })
  await save({ name: 'Makers', applies_to: ['unknown', 'pages'] })
  const { terms, ...rest } = await read()
  assert.deepEqual(terms, [])
  assert.deepEqual(rest, {
    ...{ name: 'Makers', description: null, is_hierarchical: false, applies_to: ['pages'] },
    ...{ sort_order: 100, archive: false },
  })
})

test('terms keep their IDs when a file moves, renames, or describes them, and are deleted when omitted', async (t) => {
  const { save, read, terms } = await aTaxonomy(t)
  const ids = new Map((await terms()).map(({ slug, id }) => [slug, id]))
  const [acme] = FILE.terms
  for (const [what, changed] of [
    ['name', [{ ...acme, name: 'Acme & Sons' }]],
    ['description', [{ ...acme, description: 'Since 1950' }]],
    ['former slugs', [{ ...acme, former_slugs: ['acme-inc'] }]],
    ['other former slugs', [{ ...acme, former_slugs: ['acme-i', 'nc'] }]],
    ['slugs alike when joined', [{ ...acme, former_slugs: ['acme-in', 'c'] }]],
    ['kind', [{ ...acme, kind: 'city' }]],
    ['order', [{ slug: 'new', name: 'New' }, acme]],
    ['place', [{ slug: 'new', name: 'New', terms: [acme] }]],
  ] as const) {
    const file = { ...FILE, terms: changed }
    await save(FILE)
    await save(file)
    const left = await terms()
    assert.equal(left.find(({ slug }) => slug === 'acme')?.id, ids.get('acme'), what)
    assert.deepEqual(await read(), await definitionOf(file), what)
  }

  async function definitionOf(file: object) {
    const withDefaults = taxonomyDefinition.parse(file)
    return JSON.parse(JSON.stringify(withDefaults))
  }
})

test('updating a term changes only the given properties, which may include the slug', async (t) => {
  const { db, terms } = await aTaxonomy(t)
  // By position, then as they were made: Home is the first below Bolt.
  const [acme, home, bolt] = await terms()
  assert.ok(acme && home && bolt)
  const { parentId, position } = acme
  await updateTerm(db, acme.id, { parentId, position, name: 'Acme Ltd', description: null })
  assert.deepEqual((await terms())[0], { ...acme, name: 'Acme Ltd' })
  await updateTerm(db, acme.id, { ...acme, slug: 'acme-ltd', formerSlugs: [], kind: null })
  await setTermSlug(db, bolt.id, 'bolts')
  assert.deepEqual(
    (await terms()).map(({ slug, formerSlugs }) => [slug, formerSlugs]),
    [
      ['acme-ltd', []],
      ['bolt-home', []],
      ['bolts', []],
    ],
  )
})

test('terms are counted, listed, and found by taxonomy', async (t) => {
  const { db, terms } = await aTaxonomy(t)
  const places = await addPlaces(db, 'usa/texas/austin', 'usa/ohio')
  const [brands, locations] = [await findTaxonomy(db, 'brands'), await findTaxonomy(db, 'locations')]
  assert.ok(brands && locations)
  const line = async (slug: string) =>
    (await findTermLine(db, places.get(slug) ?? 0)).map((term) => term.slug)
  assert.deepEqual([await line('austin'), await line('none')], [['usa', 'texas', 'austin'], []])
  assert.deepEqual(
    (await listPlaces(db, { limit: 3 })).map(({ name }) => name),
    ['Austin', 'Ohio', 'Texas'],
  )
  const counted = [...(await countTermsByTaxonomy(db))]
  assert.deepEqual(
    new Map(counted),
    new Map([
      [brands.id, 3],
      [locations.id, 4],
    ]),
  )
  assert.deepEqual((await listTermsByTaxonomy(db)).get(brands.id), await terms())
  const slugs = (await listTaxonomies(db)).map(({ slug }) => slug)
  assert.deepEqual(slugs, ['brands', 'locations', 'service_categories'])

  const entry = await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  for (const { id } of (await terms()).slice(0, 2))
    await db.insertInto('entry_taxonomy_terms').values({ entry_id: entry, term_id: id, type_id: 1 }).execute()
  assert.deepEqual(await countLinksByTaxonomy(db), new Map([[brands.id, 2]]))
  assert.deepEqual(await insertTerms(db, brands.id, []), new Map())
})
