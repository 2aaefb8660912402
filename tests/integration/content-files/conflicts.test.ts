import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listConflicts } from '#src/content-files/conflicts/conflict-store.ts'
import type { SyncOptions } from '#src/content-files/syncing/sync-options.ts'
import { deleteEntries, updateEntry } from '#src/entries/entry-store.ts'
import { findContentType, updateContentType } from '#src/entries/types/content-type-store.ts'
import { findForm, saveForm, toFormDefinition } from '#src/forms/form-store.ts'
import { describeFileFault } from '#src/messages/files/mistakes.ts'
import { findTaxonomy, listTerms } from '#src/taxonomies/taxonomy-store.ts'
import {
  allRows,
  aPage,
  aService,
  findEntryOf,
  getEntryOf,
  LOCATIONS,
  openWorkspace,
  type Workspace,
} from './workspace.ts'

const NO_WACO = describeFileFault({
  code: 'term_unknown',
  params: { slug: 'waco', taxonomy: 'locations' },
})
const LATER = '2026-11-21T10:00:00.000Z'
const ABOUT = 'pages/about.md'
const NEW = 'pages/new.md'
const PLACES = 'taxonomies/locations.yaml'
const SERVICE = 'services/ac-repair.md'
const QUOTE = 'forms/quote.yaml'

async function rename(workspace: Workspace, type: string, slug: string, title: string) {
  const entry = await getEntryOf(workspace, type, slug)
  await updateEntry(workspace.db, entry.id, { ...entry, title }, { now: LATER })
}

async function syncWithConflicts(workspace: Workspace, options: Partial<SyncOptions> = {}) {
  const result = await workspace.sync(options)
  assert.equal(result.kind, 'conflicts', JSON.stringify(result))
  return result
}

const titleOf = async (workspace: Workspace, slug: string, type = 'pages') =>
  (await findEntryOf(workspace, type, slug))?.title

const stored = async ({ db }: Workspace) =>
  (await listConflicts(db, { limit: 100 })).map(({ kind, path }) => `${kind} ${path}`)

// A page that changed in its file and in the admin.
async function aConflict(t: TestContext, files: Record<string, string> = {}) {
  const workspace = await openWorkspace(t, { [ABOUT]: aPage(), ...files })
  await workspace.synced()
  await rename(workspace, 'pages', 'about', 'From the admin')
  workspace.write(ABOUT, aPage({ title: 'From the file' }))
  return workspace
}

test('contract §3 a conflict is left alone and everything else is synced', async (t) => {
  const workspace = await aConflict(t, { 'pages/old.md': aPage(), 'pages/edited.md': aPage() })
  workspace.write(NEW, aPage({ title: 'New' }))
  workspace.write('pages/edited.md', aPage({ title: 'Edited' }))
  workspace.remove('pages/old.md')
  const { conflicts, waiting, changes, isSiteChanged } = await syncWithConflicts(workspace)
  assert.deepEqual([conflicts.map(({ path }) => path), waiting], [[ABOUT], []])
  assert.deepEqual(
    [changes.added, changes.changed, changes.removed],
    [[NEW], ['pages/edited.md'], ['pages/old.md']],
  )
  assert.equal(isSiteChanged, true)
  assert.equal(await titleOf(workspace, 'about'), 'From the admin')
  assert.equal(await titleOf(workspace, 'new'), 'New')
})

test('contract §3 a conflict keeps both versions until it is resolved', async (t) => {
  const workspace = await aConflict(t)
  await syncWithConflicts(workspace)
  const [first] = await listConflicts(workspace.db, { limit: 10 })
  assert.deepEqual(
    [first?.file?.kind === 'entry' && first.file.title, first?.row?.kind === 'entry' && first.row.title],
    ['From the file', 'From the admin'],
  )
  const later = await syncWithConflicts(workspace, { now: new Date('2026-12-01T00:00:00.000Z') })
  assert.deepEqual([later.changes.changed, later.isSiteChanged], [[], false])
  const again = await listConflicts(workspace.db, { limit: 10 })
  assert.deepEqual(
    again.map(({ foundAt }) => foundAt),
    [first?.foundAt],
  )
  await workspace.synced({ prefer: 'file' })
  assert.deepEqual(await stored(workspace), [])
})

test('a conflict that no longer exists isn’t kept', async (t) => {
  const workspace = await aConflict(t)
  await syncWithConflicts(workspace)
  workspace.write(ABOUT, aPage({ title: 'From the admin' }))
  await workspace.synced()
  assert.deepEqual(await stored(workspace), [])
})

test('a file that was deleted while its row changed is still a conflict at the next sync', async (t) => {
  const workspace = await aConflict(t)
  workspace.remove(ABOUT)
  workspace.write(NEW, aPage({ title: 'New' }))
  for (let sync = 0; sync < 2; sync++) await syncWithConflicts(workspace)
  assert.equal(await titleOf(workspace, 'about'), 'From the admin')
  assert.deepEqual((await workspace.synced({ prefer: 'file' })).removed, [ABOUT])
})

test('contract §3 with an error nothing is written, with or without a conflict', async (t) => {
  const workspace = await aConflict(t)
  await syncWithConflicts(workspace)
  workspace.write(NEW, '---\ntitel: New\n---\n')
  workspace.write('pages/fine.md', aPage())
  const before = await allRows(workspace)
  assert.equal((await workspace.sync()).kind, 'mistakes')
  assert.deepEqual(await allRows(workspace), before)
  assert.deepEqual(await stored(workspace), [`conflict ${ABOUT}`])
})

test('a dry run reports conflicts and records none', async (t) => {
  const workspace = await aConflict(t)
  await syncWithConflicts(workspace, { dryRun: true })
  assert.deepEqual(await stored(workspace), [])
})

const TWO_PLACES = LOCATIONS.replace(
  '- { slug: dallas, name: Dallas }',
  '- { slug: dallas, name: Dallas }\n      - { slug: waco, name: Waco }',
)

async function renameTerm({ db }: Workspace, slug: string, name: string) {
  await db.updateTable('taxonomy_terms').set({ name }).where('slug', '=', slug).execute()
}

test('files that refer to a term in conflict wait and sync with it', async (t) => {
  const workspace = await openWorkspace(t, {
    [PLACES]: LOCATIONS,
    [SERVICE]: aService({ offeredIn: ['austin'] }),
    [ABOUT]: aPage(),
  })
  await workspace.synced()
  await renameTerm(workspace, 'austin', 'Austin City')
  workspace.write(PLACES, TWO_PLACES)
  workspace.write(SERVICE, aService({ title: 'Cooling', offeredIn: ['austin', 'waco'] }))
  workspace.write('location_services/ac-repair/waco.md', '---\nintro: Here\n---\n')
  workspace.write(ABOUT, aPage({ title: 'Us' }))
  const { conflicts, waiting, changes } = await syncWithConflicts(workspace)
  assert.deepEqual(
    conflicts.map(({ path }) => path),
    [PLACES],
  )
  assert.deepEqual(
    waiting.map(({ path, message }) => `${path} ${message}`),
    [
      `location_services/ac-repair/waco.md pending until ${PLACES} is resolved: ${NO_WACO}`,
      `${SERVICE} pending until ${PLACES} is resolved: ${NO_WACO}`,
    ],
  )
  assert.deepEqual(changes.changed, [ABOUT])
  assert.equal(await titleOf(workspace, 'ac-repair', 'services'), 'AC repair')
  await workspace.synced({ prefer: 'file', only: PLACES })
  assert.equal(await titleOf(workspace, 'ac-repair', 'services'), 'Cooling')
  assert.deepEqual(await stored(workspace), [])
})

test('a chain of references waits for one conflict', async (t) => {
  const workspace = await openWorkspace(t, { [PLACES]: LOCATIONS })
  await workspace.synced()
  await renameTerm(workspace, 'austin', 'Austin City')
  workspace.write(PLACES, TWO_PLACES)
  workspace.write('services/heating.md', aService({ title: 'Heating', offeredIn: ['waco'] }))
  workspace.write('testimonials/ann.md', '---\ntitle: Ann\nauthor: Ann\nservice: heating\n---\n\nQuick.\n')
  const { waiting } = await syncWithConflicts(workspace)
  assert.deepEqual(
    waiting.map(({ path }) => path),
    ['services/heating.md', 'testimonials/ann.md'],
  )
  assert.equal(await findEntryOf(workspace, 'testimonials', 'ann'), undefined)
})

test('removing an item that a row in conflict refers to waits', async (t) => {
  const workspace = await openWorkspace(t, {
    [QUOTE]: 'name: Quote\nfields: []\n',
    [PLACES]: LOCATIONS,
    [SERVICE]: aService({ offeredIn: ['dallas'], more: 'form: quote\n' }),
  })
  await workspace.synced()
  await rename(workspace, 'services', 'ac-repair', 'From the admin')
  workspace.write(SERVICE, aService({ title: 'From the file', offeredIn: ['austin'] }))
  workspace.write(PLACES, LOCATIONS.replace('      - { slug: dallas, name: Dallas }\n', ''))
  workspace.remove(QUOTE)
  const { conflicts, waiting } = await syncWithConflicts(workspace)
  assert.deepEqual(
    conflicts.map(({ path }) => path),
    [SERVICE],
  )
  const reason = `pending until ${SERVICE} is resolved, because the admin version uses something that the file removes`
  assert.deepEqual(waiting, [
    { path: QUOTE, message: reason },
    { path: PLACES, message: reason },
  ])
  assert.ok(await findForm(workspace.db, 'quote'))
  assert.ok(await findEntryOf(workspace, 'location_services', 'ac-repair/dallas'))
  await workspace.synced({ prefer: 'file', only: SERVICE })
  assert.equal(await findForm(workspace.db, 'quote'), undefined)
  const locations = await findTaxonomy(workspace.db, 'locations')
  const slugs = (await listTerms(workspace.db, locations?.id ?? 0)).map(({ slug }) => slug)
  assert.equal(slugs.includes('dallas'), false)
})

const PROJECTS = 'name: Projects\nis_routable: true\nroute_pattern: /projects/{slug}\n'
const YEAR = 'schema:\n  fields:\n    - { key: year, label: Year, type: number }\n'

test('entries with a field of a content type in conflict wait, others of that type do not', async (t) => {
  const workspace = await openWorkspace(t, {
    'content_types/projects.yaml': PROJECTS,
    'projects/roof.md': '---\ntitle: Roof\n---\n',
  })
  await workspace.synced()
  const type = await findContentType(workspace.db, 'projects')
  assert.ok(type)
  await updateContentType(workspace.db, type.id, { ...type, name: 'From the admin' })
  workspace.write('content_types/projects.yaml', `${PROJECTS}${YEAR}`)
  workspace.write('projects/roof.md', '---\ntitle: Roof\nyear: 2026\n---\n')
  workspace.write('projects/barn.md', '---\ntitle: Barn\n---\n')
  const { waiting, changes } = await syncWithConflicts(workspace)
  assert.deepEqual(waiting, [
    {
      path: 'projects/roof.md',
      message:
        'pending until content_types/projects.yaml is resolved, because the fields of this type are in conflict',
    },
  ])
  assert.deepEqual(changes.added, ['projects/barn.md'])
  await workspace.synced({ prefer: 'file' })
  assert.deepEqual((await getEntryOf(workspace, 'projects', 'roof')).data, { year: 2026 })
})

test('resolving one conflict leaves the other one and all other files alone', async (t) => {
  const workspace = await aConflict(t, { 'pages/team.md': aPage({ title: 'Team' }) })
  await rename(workspace, 'pages', 'team', 'Team of the admin')
  workspace.write('pages/team.md', aPage({ title: 'Team of the file' }))
  await syncWithConflicts(workspace)
  workspace.write(NEW, aPage({ title: 'New' }))
  workspace.write('pages/wrong.md', '---\ntitel: Wrong\n---\n')
  await workspace.synced({ prefer: 'file', only: ABOUT })
  assert.deepEqual(
    [await titleOf(workspace, 'about'), await titleOf(workspace, 'team'), await titleOf(workspace, 'new')],
    ['From the file', 'Team of the admin', undefined],
  )
  assert.deepEqual(await stored(workspace), ['conflict pages/team.md'])
  const unread = await workspace.sync({ prefer: 'file', only: 'pages/wrong.md' })
  assert.equal(unread.kind, 'mistakes', 'a file with a mistake is there')
  await workspace.synced({ prefer: 'database', only: 'pages/team.md' })
  workspace.remove('pages/wrong.md')
  assert.deepEqual((await workspace.synced()).kept, ['pages/team.md'])
  assert.equal(await titleOf(workspace, 'team'), 'Team of the admin')
})

test('a conflict that changed meanwhile is shown again instead of resolved', async (t) => {
  const workspace = await aConflict(t)
  await syncWithConflicts(workspace)
  const [seen] = await listConflicts(workspace.db, { limit: 1 })
  const settle = (basedOn = '') => workspace.sync({ prefer: 'file', only: ABOUT, basedOn })
  workspace.write(ABOUT, aPage({ title: 'Later' }))
  assert.equal((await settle(seen?.version)).kind, 'outdated')
  const [shown] = await listConflicts(workspace.db, { limit: 1 })
  assert.equal(shown?.file?.kind === 'entry' && shown.file.title, 'Later')
  assert.equal((await settle(shown?.version)).kind, 'synced')
  assert.equal(await titleOf(workspace, 'about'), 'Later')
})

test('a conflict with a deleted row can be resolved either way', async (t) => {
  for (const [prefer, title] of [
    ['file', 'From the file'],
    ['database', undefined],
  ] as const) {
    const workspace = await aConflict(t)
    await deleteEntries(workspace.db, [(await getEntryOf(workspace, 'pages', 'about')).id])
    await syncWithConflicts(workspace)
    await workspace.synced({ prefer, only: ABOUT })
    assert.equal(await titleOf(workspace, 'about'), title)
  }
})

test('secrets of a form in conflict aren’t stored in plain text', async (t) => {
  const form = (secret: string) =>
    `name: Quote\nfields: []\nwebhooks:\n  - { name: CRM, url: "https://a.example/", signing_secret: ${secret}, headers: { Authorization: Bearer ${secret} } }\n`
  const workspace = await openWorkspace(t, { [QUOTE]: form('topsecret-one') })
  await workspace.synced()
  const stored = await findForm(workspace.db, 'quote')
  assert.ok(stored)
  await saveForm(
    workspace.db,
    'quote',
    { ...toFormDefinition(stored), name: 'From the admin' },
    { now: LATER },
  )
  workspace.write(QUOTE, form('topsecret-two'))
  await syncWithConflicts(workspace)
  const rows = await workspace.db.selectFrom('content_conflicts').selectAll().execute()
  assert.equal(rows.length, 1)
  assert.doesNotMatch(JSON.stringify(rows), /topsecret/)
})

test('a file waits for an address that a row in conflict still has', async (t) => {
  const type = (pattern: string) => `name: Offers\nis_routable: true\nroute_pattern: ${pattern}\n`
  const workspace = await openWorkspace(t, {
    'content_types/offers.yaml': type('/{slug}'),
    'offers/sale.md': '---\ntitle: Sale\n---\n',
  })
  await workspace.synced()
  const stored = await findContentType(workspace.db, 'offers')
  assert.ok(stored)
  await updateContentType(workspace.db, stored.id, { ...stored, name: 'From the admin' })
  workspace.write('content_types/offers.yaml', type('/offers/{slug}'))
  workspace.write('pages/sale.md', aPage({ title: 'The sale' }))
  workspace.write(NEW, aPage({ title: 'New' }))
  const { waiting, changes } = await syncWithConflicts(workspace)
  assert.deepEqual(
    waiting.map(({ path }) => path),
    ['pages/sale.md'],
  )
  assert.deepEqual(changes.added, [NEW])
  workspace.write('pages/new-two.md', '---\ntitle: Two\n---\n')
  workspace.write('content_types/more.yaml', type('/{slug}'))
  workspace.write('more/new-two.md', '---\ntitle: Clash\n---\n')
  assert.equal((await workspace.sync()).kind, 'mistakes')
})
