import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFileFault } from '#src/messages/files/mistakes.ts'
import { findTaxonomy, listTerms } from '#src/taxonomies/taxonomy-store.ts'
import { addEntry } from '../../support/small-site.ts'
import { assertSays } from '../../support/wording.ts'
import {
  aPage,
  aService,
  findEntryOf,
  getEntryOf,
  LOCATIONS,
  listEntriesOf,
  openWorkspace,
  type Workspace,
} from './workspace.ts'

const RENAMED_LOCATIONS = LOCATIONS.replace('slug: austin', 'slug: austin-tx').replace(
  'name: Austin',
  'name: Austin\n        former_slugs: [austin]',
)

async function termId({ db }: Workspace, slug: string) {
  const taxonomy = await findTaxonomy(db, 'locations')
  assert.ok(taxonomy)
  return (await listTerms(db, taxonomy.id)).find((term) => term.slug === slug)?.id
}

test('§3 a renamed file that lists its former address is the same entry', async (t) => {
  const workspace = await openWorkspace(t, { 'pages/about.md': aPage() })
  await workspace.synced()
  const { id } = await getEntryOf(workspace, 'pages', 'about')
  workspace.remove('pages/about.md')
  workspace.write(
    'pages/team.md',
    aPage({ title: 'Team' }).replace('title:', 'redirect_from: [/about]\ntitle:'),
  )
  const changes = await workspace.synced()
  assert.deepEqual([changes.added, changes.changed, changes.removed], [[], ['pages/team.md'], []])
  const entry = await getEntryOf(workspace, 'pages', 'team')
  assert.deepEqual([entry.id, entry.title, entry.redirectFrom], [id, 'Team', ['/about']])
  assert.equal(await findEntryOf(workspace, 'pages', 'about'), undefined)
  assert.deepEqual((await workspace.synced()).changed, [])
})

test('§3 a renamed file is a new entry when its former one has a file again', async (t) => {
  const workspace = await openWorkspace(t, { 'pages/about.md': aPage() })
  await workspace.synced()
  const { id } = await getEntryOf(workspace, 'pages', 'about')
  workspace.write('pages/team.md', aPage().replace('title:', 'redirect_from: [/about]\ntitle:'))
  assert.deepEqual((await workspace.synced()).added, ['pages/team.md'])
  assert.equal((await getEntryOf(workspace, 'pages', 'about')).id, id)
})

test('§3 a renamed file whose new slug is taken renames nothing', async (t) => {
  const workspace = await openWorkspace(t, { 'pages/about.md': aPage() })
  await workspace.synced()
  const taken = await addEntry(workspace.db, 'pages', { slug: 'team', title: 'Made in the admin' })
  workspace.remove('pages/about.md')
  workspace.write('pages/team.md', aPage().replace('title:', 'redirect_from: [/about]\ntitle:'))
  const result = await workspace.sync()
  assert.equal(result.kind, 'conflicts', JSON.stringify(result))
  assert.equal(await findEntryOf(workspace, 'pages', 'about'), undefined, 'its file is gone')
  const { id, title } = await getEntryOf(workspace, 'pages', 'team')
  assert.deepEqual([id, title], [taken, 'Made in the admin'])
})

test('§3 a former slug claimed by two terms is the first one’s; two files claiming it are both reported', async (t) => {
  const workspace = await openWorkspace(t, {
    'pages/about.md': aPage(),
    'taxonomies/locations.yaml': LOCATIONS,
    'services/cooling.md': aService({ offeredIn: ['austin'] }),
  })
  await workspace.synced()
  const { id } = await getEntryOf(workspace, 'pages', 'about')
  const austin = await termId(workspace, 'austin')
  workspace.remove('pages/about.md')
  for (const slug of ['people', 'team'])
    workspace.write(`pages/${slug}.md`, aPage().replace('title:', 'redirect_from: [/about]\ntitle:'))
  const split = '  - { slug: round-rock, name: Round Rock, former_slugs: [austin] }\n'
  workspace.write('taxonomies/locations.yaml', RENAMED_LOCATIONS + split)
  workspace.write('services/cooling.md', aService({ offeredIn: ['austin-tx', 'round-rock'] }))
  const refused = await workspace.sync()
  const told = (other: string) => ({
    code: 'former_address_shared',
    params: { from: '/about', others: [`pages/${other}.md`] },
  })
  assert.deepEqual(refused.kind === 'mistakes' && refused.mistakes, [
    { path: 'pages/people.md', line: 2, fault: told('team') },
    { path: 'pages/team.md', line: 2, fault: told('people') },
  ])
  workspace.write('pages/team.md', aPage())
  await workspace.synced()
  assert.equal((await getEntryOf(workspace, 'pages', 'people')).id, id)
  assert.equal(await termId(workspace, 'austin-tx'), austin)
  await getEntryOf(workspace, 'location_services', 'cooling/round-rock')
})

test('§3 two spellings of a former address are one: two files claiming it are both reported', async (t) => {
  const from = (...paths: string[]) =>
    aPage().replace('title:', `redirect_from: [${paths.join(', ')}]\ntitle:`)
  const workspace = await openWorkspace(t, {
    'pages/people.md': from('/Old'),
    'pages/team.md': from('/old/'),
  })
  const refused = await workspace.sync()
  const told = (from: string, other: string) => ({
    code: 'former_address_shared',
    params: { from, others: [other] },
  })
  assert.deepEqual(refused.kind === 'mistakes' && refused.mistakes, [
    { path: 'pages/people.md', line: 2, fault: told('/Old', 'pages/team.md (as /old)') },
    { path: 'pages/team.md', line: 2, fault: told('/old', 'pages/people.md (as /Old)') },
  ])
  workspace.write('pages/people.md', from('/caf%C3%A9'))
  workspace.write('pages/team.md', from('/Café'))
  const encoded = await workspace.sync()
  assert.deepEqual(encoded.kind === 'mistakes' && encoded.mistakes.map(({ fault }) => fault), [
    told('/café', 'pages/team.md (as /Café)'),
    told('/Café', 'pages/people.md (as /café)'),
  ])
  workspace.write('pages/people.md', from('/Old', '/OLD'))
  workspace.write('pages/team.md', aPage())
  await workspace.synced()
  assert.deepEqual((await getEntryOf(workspace, 'pages', 'people')).redirectFrom, ['/Old', '/OLD'])
})

test('§3 a renamed service keeps its places and their texts from the admin', async (t) => {
  const files = {
    'taxonomies/locations.yaml': LOCATIONS,
    'services/cooling.md': aService({ offeredIn: ['texas/**'] }),
  }
  const workspace = await openWorkspace(t, files)
  await workspace.synced()
  const { id } = await getEntryOf(workspace, 'services', 'cooling')
  const place = await getEntryOf(workspace, 'location_services', 'cooling/austin')
  const edited = { title: 'Cool Austin', is_generated: 0 as const }
  await workspace.db.updateTable('content_entries').set(edited).where('id', '=', place.id).execute()
  workspace.remove('services/cooling.md')
  const more = 'redirect_from: [/services/cooling]\n'
  workspace.write('services/ac-repair.md', aService({ offeredIn: ['texas/**'], more }))
  await workspace.synced()
  assert.equal((await getEntryOf(workspace, 'services', 'ac-repair')).id, id)
  const renamed = await getEntryOf(workspace, 'location_services', 'ac-repair/austin')
  assert.deepEqual([renamed.id, renamed.title], [place.id, 'Cool Austin'])
  const slugs = (await listEntriesOf(workspace, 'location_services')).map(({ slug }) => slug)
  assert.deepEqual(
    slugs,
    ['austin', 'dallas', 'texas', 'zilker'].map((slug) => `ac-repair/${slug}`),
  )
})

test('§3 a renamed term keeps its ID, its files, and its places', async (t) => {
  const workspace = await openWorkspace(t, {
    'taxonomies/locations.yaml': LOCATIONS,
    'services/cooling.md': aService({ offeredIn: ['austin', 'dallas'] }),
    'location_services/cooling/austin.md': '---\nintro: Hot here.\n---\n',
    'pages/about.md': aPage().replace('title:', 'terms: { locations: [austin] }\ntitle:'),
  })
  await workspace.synced()
  const id = await termId(workspace, 'austin')
  const place = await getEntryOf(workspace, 'location_services', 'cooling/austin')
  workspace.write('taxonomies/locations.yaml', RENAMED_LOCATIONS)
  workspace.write('services/cooling.md', aService({ offeredIn: ['austin-tx', 'dallas'] }))
  workspace.remove('location_services/cooling/austin.md')
  workspace.write('location_services/cooling/austin-tx.md', '---\nintro: Hot here.\n---\n')
  workspace.write('pages/about.md', aPage().replace('title:', 'terms: { locations: [austin-tx] }\ntitle:'))
  const changes = await workspace.synced()
  assert.deepEqual(changes.removed, [])
  assert.equal(await termId(workspace, 'austin-tx'), id)
  assert.equal((await getEntryOf(workspace, 'location_services', 'cooling/austin-tx')).id, place.id)
  assert.deepEqual((await workspace.synced()).changed, [])
})

test('§3 a service without a file is offered under its place’s new name', async (t) => {
  const files = {
    'taxonomies/locations.yaml': LOCATIONS,
    'services/cooling.md': aService({ offeredIn: ['austin/**'] }),
  }
  const workspace = await openWorkspace(t, files)
  await workspace.synced()
  await workspace.db.deleteFrom('content_files').where('path', '=', 'services/cooling.md').execute()
  workspace.remove('services/cooling.md')
  workspace.write('taxonomies/locations.yaml', RENAMED_LOCATIONS)
  await workspace.synced()
  const slugs = (await listEntriesOf(workspace, 'location_services')).map(({ slug }) => slug)
  assert.deepEqual(slugs, ['cooling/austin-tx', 'cooling/zilker'])
})

test('§3 a rename in a failed sync is rolled back', async (t) => {
  const workspace = await openWorkspace(t, { 'taxonomies/locations.yaml': LOCATIONS })
  await workspace.synced()
  workspace.write('taxonomies/locations.yaml', RENAMED_LOCATIONS)
  workspace.write('pages/about.md', aPage().replace('title:', 'terms: { locations: [austin] }\ntitle:'))
  assert.equal((await workspace.sync()).kind, 'mistakes')
  assert.ok(await termId(workspace, 'austin'))
})

test('§3 the schedule and the former addresses of an entry come from its file', async (t) => {
  const more =
    'publish_at: 2026-12-01T08:00:00+02:00\nunpublish_at: 2026-12-24T00:00:00Z\nredirect_from: [/old.html, /older/]\n'
  const workspace = await openWorkspace(t, { 'pages/sale.md': aPage().replace('title:', `${more}title:`) })
  await workspace.synced()
  const { publishAt, unpublishAt, redirectFrom } = await getEntryOf(workspace, 'pages', 'sale')
  assert.deepEqual([publishAt, unpublishAt], ['2026-12-01T06:00:00.000Z', '2026-12-24T00:00:00.000Z'])
  assert.deepEqual(redirectFrom, ['/old.html', '/older'])
  workspace.write('pages/sale.md', aPage())
  await workspace.synced()
  const bare = await getEntryOf(workspace, 'pages', 'sale')
  assert.deepEqual([bare.publishAt, bare.unpublishAt, bare.redirectFrom], [null, null, []])
})

for (const [wrong, message] of [
  ['publish_at: tomorrow', /publish_at is "tomorrow", expected a date and time in UTC/],
  [
    'publish_at: 2026-12-02T00:00:00Z\nunpublish_at: 2026-12-01T00:00:00Z',
    /unpublish_at .*expected a time after publish_at/,
  ],
  ['redirect_from: [old]', /redirect_from\[0\]|redirect_from.*expected a path such as \/old-page/],
  ['redirect_from: ["/old?page=1"]', /expected a path such as \/old-page/],
  ['redirect_from: ["/a;b"]', /expected a path such as \/old-page/],
  ['redirect_from: [/admin/x]', /that Signpost does not use/],
] as const) {
  test(`§3 an error in a schedule or a former address is reported: ${wrong.split('\n').at(-1)}`, async (t) => {
    const workspace = await openWorkspace(t, {
      'pages/sale.md': aPage().replace('title:', `${wrong}\ntitle:`),
    })
    const result = await workspace.sync()
    assert.ok(result.kind === 'mistakes')
    assertSays(result.mistakes.map(({ fault }) => describeFileFault(fault)).join('\n'), message)
  })
}
