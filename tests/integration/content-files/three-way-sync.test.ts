import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteEntries, type Entry, updateEntry } from '#src/entries/entry-store.ts'
import { findContentType, updateContentType } from '#src/entries/types/content-type-store.ts'
import { findForm, saveForm, toFormDefinition } from '#src/forms/form-store.ts'
import { renameForm } from '#src/site/forms/rename-form.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { SETTINGS_SUBJECT } from '#src/site/settings/record-settings.ts'
import { findSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { listVersionContents } from '#src/versions/version-store.ts'
import { assertTells } from '../../support/wording.ts'
import {
  allRows,
  aPage,
  findEntryOf,
  getEntryOf,
  LOCATIONS,
  openWorkspace,
  type Workspace,
} from './workspace.ts'

const LATER = new Date('2026-11-21T10:00:00.000Z')
const ABOUT = 'pages/about.md'
const WAITLIST = 'forms/waitlist.yaml'
const SMALL_WAITLIST = `name: Our waitlist
fields:
  - { name: email, type: email, label: E-mail, required: true }
`

async function editTitle({ db }: Workspace, entry: Entry, title: string) {
  await updateEntry(db, entry.id, { ...entry, title }, { now: '2026-11-21T10:00:00.000Z' })
}

async function openEditedPage(t: Parameters<typeof openWorkspace>[0]) {
  const workspace = await openWorkspace(t, { [ABOUT]: aPage() })
  await workspace.synced()
  await editTitle(workspace, await getEntryOf(workspace, 'pages', 'about'), 'From the admin')
  return workspace
}

const titleOf = async (workspace: Workspace) => (await findEntryOf(workspace, 'pages', 'about'))?.title

async function conflictsOf(workspace: Workspace) {
  const result = await workspace.sync()
  assert.equal(result.kind, 'conflicts')
  return result.conflicts
}

test('a new file creates a row, and a second sync changes nothing', async (t) => {
  const workspace = await openWorkspace(t, { [ABOUT]: aPage({ summary: 'Who we are' }) })
  assert.deepEqual((await workspace.synced()).added, [ABOUT])
  const page = await getEntryOf(workspace, 'pages', 'about')
  assert.equal(page.status, 'published')
  assert.equal(page.body, 'We are here.')
  assert.deepEqual(page.data, { summary: 'Who we are' })
  const before = await allRows(workspace)
  const nothing = { added: [], changed: [], removed: [], kept: [] }
  assert.deepEqual(await workspace.synced(), { ...nothing, locationServices: { added: 0, removed: 0 } })
  assert.deepEqual(await allRows(workspace), before)
})

test('a changed file wins over an unchanged row, which keeps its ID', async (t) => {
  const workspace = await openWorkspace(t, { [ABOUT]: aPage() })
  await workspace.synced()
  const { id } = await getEntryOf(workspace, 'pages', 'about')
  workspace.write(ABOUT, aPage({ title: 'About us' }))
  assert.deepEqual((await workspace.synced()).changed, [ABOUT])
  const page = await getEntryOf(workspace, 'pages', 'about')
  assert.deepEqual([page.id, page.title], [id, 'About us'])
})

test('a row edited in the admin stays if its file is unchanged', async (t) => {
  const workspace = await openEditedPage(t)
  assert.deepEqual((await workspace.synced()).kept, [ABOUT])
  assert.deepEqual((await workspace.synced()).kept, [ABOUT])
  assert.equal(await titleOf(workspace), 'From the admin')
})

test('--prefer file resolves a conflict permanently', async (t) => {
  const workspace = await openEditedPage(t)
  workspace.write(ABOUT, aPage({ title: 'From the file' }))
  assert.deepEqual((await workspace.synced({ prefer: 'file' })).changed, [ABOUT])
  assert.equal(await titleOf(workspace), 'From the file')
  assert.deepEqual((await workspace.synced()).changed, [])
})

test('--prefer database resolves a conflict until the file changes again', async (t) => {
  const workspace = await openEditedPage(t)
  workspace.write(ABOUT, aPage({ title: 'From the file' }))
  assert.deepEqual((await workspace.synced({ prefer: 'database' })).kept, [ABOUT])
  assert.equal(await titleOf(workspace), 'From the admin')
  assert.deepEqual((await workspace.synced()).kept, [ABOUT])
  workspace.write(ABOUT, aPage({ title: 'From the file, later' }))
  assert.equal((await workspace.sync()).kind, 'conflicts')
})

test('identical changes on both sides are no conflict', async (t) => {
  const workspace = await openEditedPage(t)
  workspace.write(ABOUT, aPage({ title: 'From the admin' }))
  assert.deepEqual((await workspace.synced()).changed, [])
  workspace.write(ABOUT, aPage({ title: 'From the file' }))
  assert.deepEqual((await workspace.synced()).changed, [ABOUT])
})

test('removing a file removes its row', async (t) => {
  const workspace = await openWorkspace(t, { [ABOUT]: aPage(), 'site.yaml': 'name: Ours' })
  await workspace.synced()
  workspace.remove(ABOUT)
  assert.deepEqual((await workspace.synced()).removed, [ABOUT])
  assert.equal(await findEntryOf(workspace, 'pages', 'about'), undefined)
})

test('removing a file whose row was edited is a conflict', async (t) => {
  const workspace = await openEditedPage(t)
  workspace.remove(ABOUT)
  assert.equal((await workspace.sync()).kind, 'conflicts')
  await workspace.synced({ prefer: 'database' })
  assert.equal(await titleOf(workspace), 'From the admin')
  assert.deepEqual((await workspace.synced()).removed, [])
})

test('a row that was deleted in the admin stays deleted', async (t) => {
  const workspace = await openWorkspace(t, { [ABOUT]: aPage() })
  await workspace.synced()
  await deleteEntries(workspace.db, [(await getEntryOf(workspace, 'pages', 'about')).id])
  assert.deepEqual((await workspace.synced()).kept, [ABOUT])
  assert.equal(await findEntryOf(workspace, 'pages', 'about'), undefined)
  workspace.write(ABOUT, aPage({ title: 'Again' }))
  assert.equal((await workspace.sync()).kind, 'conflicts')
  assert.deepEqual((await workspace.synced({ prefer: 'file' })).added, [ABOUT])
})

test('a row without a file stays', async (t) => {
  const workspace = await openEditedPage(t)
  await workspace.db.deleteFrom('content_files').execute()
  workspace.remove(ABOUT)
  assert.deepEqual((await workspace.synced()).removed, [])
  assert.equal(await titleOf(workspace), 'From the admin')
})

test('a first sync replaces the unedited built-in form with the file', async (t) => {
  const workspace = await openWorkspace(t, { [WAITLIST]: SMALL_WAITLIST })
  assert.deepEqual((await workspace.synced()).changed, [WAITLIST])
  const form = await findForm(workspace.db, 'waitlist')
  assert.deepEqual([form?.name, form?.isBuiltin, form?.fields.length], ['Our waitlist', true, 1])
})

test('a first sync doesn’t replace an edited built-in form', async (t) => {
  const workspace = await openWorkspace(t, { [WAITLIST]: SMALL_WAITLIST })
  const form = await findForm(workspace.db, 'waitlist')
  assert.ok(form)
  const edited = { ...toFormDefinition(form), name: 'Edited' }
  await saveForm(workspace.db, 'waitlist', edited, { now: '2026-11-21T10:00:00.000Z' })
  assert.equal((await workspace.sync()).kind, 'conflicts')
})

test('a built-in row stays when its file disappears', async (t) => {
  const workspace = await openWorkspace(t, {
    [WAITLIST]: SMALL_WAITLIST,
    'taxonomies/locations.yaml': LOCATIONS,
  })
  await workspace.synced()
  workspace.remove(WAITLIST)
  workspace.remove('taxonomies/locations.yaml')
  assert.deepEqual((await workspace.synced()).removed, [])
  assert.equal((await findForm(workspace.db, 'waitlist'))?.name, 'Our waitlist')
})

test('a dry run lists changes and makes none', async (t) => {
  const workspace = await openWorkspace(t, { [ABOUT]: aPage(), 'site.yaml': 'name: A business\n' })
  const before = await allRows(workspace)
  const { added } = await workspace.synced({ dryRun: true })
  assert.deepEqual(added, [ABOUT, 'site.yaml'])
  assert.deepEqual(await allRows(workspace), before)
})

test('site.yaml becomes the settings of the site', async (t) => {
  const workspace = await openWorkspace(t, {
    'site.yaml': 'name: A business\ntheme: { preset: prairie, radius: 3 }\n',
  })
  assert.equal((await findSiteSettings(workspace.db)).name, 'My business')
  await workspace.synced()
  const settings = await findSiteSettings(workspace.db)
  assert.deepEqual([settings.name, settings.theme], ['A business', { preset: 'prairie', radius: 3 }])
})

test('site.yaml and the settings in the admin are compared key by key', async (t) => {
  const workspace = await openWorkspace(t, { 'site.yaml': 'name: Bluebonnet\nphone: (512) 555-0142\n' })
  await workspace.synced()
  const change = (changes: object) => changeSiteSettings(workspace.db, { changes }, { now: LATER })
  const settings = async () => {
    const { name, tagline, phone } = await findSiteSettings(workspace.db)
    return [name, tagline, phone]
  }
  await change({ tagline: 'From the admin' })
  workspace.write('site.yaml', 'name: Bluebonnet\nphone: (512) 555-0177\n')
  assert.deepEqual((await workspace.synced()).changed, ['site.yaml'])
  assert.deepEqual(await settings(), ['Bluebonnet', 'From the admin', '(512) 555-0177'])
  assert.deepEqual((await workspace.synced()).kept, ['site.yaml'])
  assert.deepEqual(await settings(), ['Bluebonnet', 'From the admin', '(512) 555-0177'])
  await change({ name: 'Bluebonnet Homes' })
  workspace.write('site.yaml', 'name: Bluebonnet\ntagline: From the file\nphone: (512) 555-0188\n')
  const conflict = { path: 'site.yaml', message: 'tagline changed both in the file and in the admin' }
  assert.deepEqual(await conflictsOf(workspace), [conflict])
  assert.deepEqual(await settings(), ['Bluebonnet Homes', 'From the admin', '(512) 555-0177'])
  await workspace.synced({ prefer: 'file' })
  assert.deepEqual(await settings(), ['Bluebonnet Homes', 'From the file', '(512) 555-0188'])
  await change({ tagline: 'Again' })
  workspace.write('site.yaml', 'name: Bluebonnet\ntagline: From the file\nphone: (512) 555-0199\n')
  await workspace.synced({ prefer: 'database' })
  assert.deepEqual(await settings(), ['Bluebonnet Homes', 'Again', '(512) 555-0199'])
  const [newest] = await listVersionContents(workspace.db, SETTINGS_SUBJECT, { limit: 1 })
  assert.deepEqual([newest?.version.source, newest?.content], ['file', await findSiteSettings(workspace.db)])
})

test('site.yaml can be edited while it refers to a form renamed in the admin', async (t) => {
  const site = 'name: Bluebonnet\ndefault_form: quote\n'
  const workspace = await openWorkspace(t, {
    'site.yaml': site,
    'forms/quote.yaml': 'name: Quote\nfields: []\n',
  })
  await workspace.synced()
  assert.equal(await renameForm(workspace.db, 'quote', 'offer', { now: LATER.toISOString() }), 'renamed')
  assert.deepEqual((await workspace.synced()).kept, ['forms/quote.yaml', 'site.yaml'])
  workspace.write('site.yaml', `${site}phone: (512) 555-0177\n`)
  await workspace.synced()
  const { default_form: form, phone } = await findSiteSettings(workspace.db)
  assert.deepEqual([form, phone], ['offer', '(512) 555-0177'])
  workspace.write('site.yaml', `${site}logo: none.png\n`)
  assert.equal((await workspace.sync()).kind, 'mistakes')
})

test('files may use a field added in the admin, and may omit it', async (t) => {
  const workspace = await openWorkspace(t, {
    'content_types/projects.yaml': 'name: Projects\nis_routable: true\nroute_pattern: /projects/{slug}\n',
    'projects/roof.md': '---\ntitle: Roof\n---\n',
    'projects/barn.md': '---\ntitle: Barn\n---\n',
  })
  await workspace.synced()
  const type = await findContentType(workspace.db, 'projects')
  assert.ok(type)
  const year = { key: 'year', label: 'Year', type: 'number' as const, required: true }
  await updateContentType(workspace.db, type.id, { ...type, fields: [year] })
  workspace.write('projects/roof.md', '---\ntitle: Roof\nyear: 2026\n---\n')
  const { changed, kept } = await workspace.synced()
  assert.deepEqual([changed, kept], [['projects/roof.md'], ['content_types/projects.yaml']])
  assert.deepEqual((await getEntryOf(workspace, 'projects', 'roof')).data, { year: 2026 })
  workspace.write(
    'content_types/projects.yaml',
    'name: Works\nis_routable: true\nroute_pattern: /projects/{slug}\n',
  )
  assert.equal((await workspace.sync()).kind, 'conflicts')
  const refused = await workspace.sync({ prefer: 'file' })
  assertTells(refused.kind === 'mistakes' ? refused.mistakes[0] : undefined, /unknown key year/)
  await workspace.synced({ prefer: 'database' })
  assert.deepEqual((await findContentType(workspace.db, 'projects'))?.fields, [year])
})

test('an edited file whose row was renamed in the admin is a conflict, with or without former addresses', async (t) => {
  const text = (title: string) => `---\ntitle: ${title}\nredirect_from: [/who]\n---\n`
  const workspace = await openWorkspace(t, { [ABOUT]: text('About') })
  await workspace.synced()
  const about = await getEntryOf(workspace, 'pages', 'about')
  await workspace.db.updateTable('content_entries').set({ slug: 'us' }).where('id', '=', about.id).execute()
  workspace.write(ABOUT, text('About us'))
  const message = 'the file changed, and the admin version was deleted or renamed'
  assert.deepEqual(await conflictsOf(workspace), [{ path: ABOUT, message }])
  const wins = await workspace.sync({ prefer: 'file' })
  assertTells(wins.kind === 'mistakes' ? wins.mistakes[0] : undefined, /redirects to pages\/us\.md/)
})

test('blank texts stored by earlier versions count as empty', async (t) => {
  const workspace = await openWorkspace(t)
  const stored = {
    ...{ name: ' ', tagline: '', phone: '(512) 555-0142', navigation: [{ label: ' ', path: '/about' }] },
    home: {
      heading: ' ',
      faq: [{ question: 'How soon?', answer: '\t' }],
      points: [{ title: 'A', text: 'B' }],
    },
  }
  const row = { key: 'site', value_json: JSON.stringify(stored), updated_at: '2026-11-20T10:00:00.000Z' }
  await workspace.db.insertInto('settings').values(row).execute()
  const { name, tagline, phone, navigation, home } = await findSiteSettings(workspace.db)
  assert.deepEqual([name, tagline, phone, navigation], ['My business', null, '(512) 555-0142', []])
  assert.deepEqual([home.heading, home.faq, home.points], [null, [], [{ title: 'A', text: 'B' }]])
  await workspace.synced()
})

test('README.md and dotfiles are ignored, and an empty folder is accepted', async (t) => {
  const workspace = await openWorkspace(t, {
    'README.md': '# Read me',
    '.hidden/file.txt': 'x',
    '.env': 'A=1',
  })
  assert.deepEqual((await workspace.synced()).added, [])
})

test('a missing content folder is one clear error', async (t) => {
  const workspace = await openWorkspace(t)
  await assert.rejects(
    workspace.sync({ contentDir: '/nowhere/content' }),
    /no content folder at \/nowhere\/content/,
  )
})
