import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listContentFileBases, saveContentFileBases } from '#src/content-files/content-file-store.ts'
import type { ContentDocument, EntryDocument } from '#src/content-files/document.ts'
import { pathOfDocument } from '#src/content-files/document.ts'
import { documentsFromDatabase } from '#src/content-files/documents-from-database.ts'
import type { ParsedFile } from '#src/content-files/parsing/parsed-file.ts'
import { findRenames } from '#src/content-files/syncing/find-renames.ts'
import { followRenames } from '#src/content-files/syncing/follow-renames.ts'
import { anEntry, documentOf } from '../../support/content-plans.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const NOW = '2026-11-20T10:00:00.000Z'

const fileOf = (document: ContentDocument): ParsedFile => {
  return { path: pathOfDocument(document), document, references: [], mistakes: [] }
}

const formerly = (path: string, ...redirectFrom: string[]): EntryDocument =>
  anEntry(path, { redirect_from: redirectFrom })

const locations = (...terms: object[]) =>
  documentOf('taxonomies/locations.yaml', JSON.stringify({ name: 'Locations', is_hierarchical: true, terms }))

test('entries whose files list the address of a row without a file are renamed', async (t) => {
  const db = await openTestDatabase(t)
  const about = await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  const team = await addEntry(db, 'pages', { slug: 'team', title: 'Team' })
  const service = await addEntry(db, 'services', { slug: 'about', title: 'About' })
  const find = (...documents: ContentDocument[]) => findRenames(db, documents.map(fileOf))
  const rename = { kind: 'entry', owner: 'pages', id: about, from: 'about', to: 'us' }
  for (const [name, documents, expected] of [
    ['its own address', [formerly('pages/us.md', '/about')], [rename]],
    ['the second of its addresses', [formerly('pages/us.md', '/people', '/about')], [rename]],
    [
      'two addresses with rows',
      [formerly('pages/us.md', '/team', '/about')],
      [{ ...rename, id: team, from: 'team' }],
    ],
    ['no address', [anEntry('pages/us.md')], []],
    ['an unknown address', [formerly('pages/us.md', '/people')], []],
    ['an address of another type', [formerly('pages/us.md', '/services/about')], []],
    [
      'a service’s address',
      [formerly('services/us.md', '/services/about')],
      [{ ...rename, owner: 'services', id: service }],
    ],
    ['an address that has a file', [formerly('pages/us.md', '/about'), anEntry('pages/about.md')], []],
    ['an address, and a slug that has a row', [formerly('pages/team.md', '/about')], []],
    [
      'the same address as another',
      [formerly('pages/us.md', '/about'), formerly('pages/we.md', '/about')],
      [rename],
    ],
    ['the address of a type without pages', [formerly('testimonials/us.md', '/about')], []],
    ['the address of an unknown type', [formerly('projects/us.md', '/about')], []],
    ['the address of a location service', [formerly('location_services/us/a.md', '/services/about')], []],
  ] satisfies [string, ContentDocument[], object[]][])
    assert.deepEqual(await find(...documents), expected, name)
})

test('terms whose former slugs are gone from their taxonomy are renamed', async (t) => {
  const db = await openTestDatabase(t)
  const ids = await addPlaces(db, 'texas/austin', 'texas/dallas')
  const find = (...terms: object[]) => findRenames(db, [fileOf(locations(...terms))])
  const atx = (...former: string[]) => ({ slug: 'atx', name: 'Austin', former_slugs: former })
  const dallas = { slug: 'dallas', name: 'Dallas' }
  const rename = { kind: 'term', owner: 'locations', id: ids.get('austin'), from: 'austin', to: 'atx' }
  assert.deepEqual(await find(atx('austin'), dallas), [rename])
  assert.deepEqual(await find({ slug: 'texas', name: 'Texas', terms: [atx('waco', 'austin')] }), [rename])
  assert.deepEqual(await find(atx('austin'), { ...atx('austin'), slug: 'austin-tx' }), [rename], 'the first')
  assert.deepEqual(await find(atx('austin'), { slug: 'austin', name: 'Austin' }), [], 'it has both')
  assert.deepEqual(await find({ ...dallas, former_slugs: ['austin'] }), [], 'the slug has a row')
  assert.deepEqual(await find(atx('waco')), [], 'the former slug is unknown')
  assert.deepEqual(await find({ slug: 'atx', name: 'Austin' }), [], 'no former slug')
  const moods = documentOf('taxonomies/moods.yaml', JSON.stringify({ name: 'Moods', terms: [atx('austin')] }))
  assert.deepEqual(await findRenames(db, [fileOf(moods)]), [], 'another taxonomy')
  const both = [fileOf(formerly('pages/us.md', '/about')), fileOf(locations(atx('austin')))]
  await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  assert.equal((await findRenames(db, both)).length, 2)
})

test('a rename moves the bases of a row and of its places, and rows that equaled their files still do', async (t) => {
  const db = await openTestDatabase(t)
  const ids = await addPlaces(db, 'austin', 'dallas')
  const idOf = (slug: string) => ids.get(slug) as number
  const repair = await addEntry(db, 'services', { slug: 'repair', title: 'Repair' })
  const heating = await addEntry(db, 'services', { slug: 'heating', title: 'Heating' })
  for (const [service, id] of [
    ['repair', repair],
    ['heating', heating],
  ] as const)
    for (const place of ['austin', 'dallas'])
      await offer(
        db,
        { slug: service, id },
        { slug: place, id: idOf(place) },
        { title: `${service} in ${place}` },
      )
  // A page with the slug of a service.
  await addEntry(db, 'pages', { slug: 'heating', title: 'Heating' })
  const before = await documentsFromDatabase(db)
  const bases = [...before].map(([path, { document, sha256 }]) => ({ path, document, rowSha256: sha256 }))
  const [edited] = bases.filter(({ path }) => path === 'location_services/repair/dallas.md')
  assert.ok(edited)
  edited.rowSha256 = 'edited since'
  await saveContentFileBases(db, bases, { now: NOW })
  const files = [
    fileOf(formerly('services/fixing.md', '/services/repair')),
    fileOf(formerly('pages/warmth.md', '/heating')),
    fileOf(
      locations(
        { slug: 'atx', name: 'Austin', former_slugs: ['austin'] },
        { slug: 'dallas', name: 'Dallas' },
      ),
    ),
  ]
  await followRenames(db, files, { now: NOW })
  const moved = await listContentFileBases(db)
  const after = await documentsFromDatabase(db)
  const paths = [
    'location_services/fixing/atx.md',
    'location_services/fixing/dallas.md',
    'location_services/heating/atx.md',
  ]
  assert.deepEqual(
    [...moved.keys()].filter((path) => /^(location_services|services|pages)\//.test(path)).sort(),
    [
      ...paths,
      'location_services/heating/dallas.md',
      'pages/warmth.md',
      'services/fixing.md',
      'services/heating.md',
    ],
  )
  assert.deepEqual([...moved.keys()].sort(), [...after.keys()].sort())
  const untouched = [...moved].filter(([path, { rowSha256 }]) => rowSha256 === after.get(path)?.sha256)
  assert.deepEqual(
    [...moved.keys()].filter((path) => !untouched.some(([one]) => one === path)),
    ['location_services/fixing/dallas.md'],
  )
  const slugs = paths.map((path) => (moved.get(path)?.document as EntryDocument | undefined)?.slug)
  assert.deepEqual(slugs, ['fixing/atx', 'fixing/dallas', 'heating/atx'])
})
