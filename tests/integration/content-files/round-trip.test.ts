import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { documentsFromDatabase } from '#src/content-files/documents-from-database.ts'
import { exportContent } from '#src/content-files/export-content.ts'
import { updateEntry } from '#src/entries/entry-store.ts'
import { listContentTypes, updateContentType } from '#src/entries/types/content-type-store.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { schemaFaults } from '../../support/content-schemas.ts'
import { temporaryFolder } from '../../support/database.ts'
import { placed } from '../../support/wording.ts'
import {
  allRows,
  aPage,
  aService,
  getEntryOf,
  LOCATIONS,
  listEntriesOf,
  openWorkspace,
  secretBox,
  type Workspace,
} from './workspace.ts'

const EXAMPLE = fileURLToPath(new URL('../../../content', import.meta.url))

const SCHEMAS = [
  ['/site', 'site'],
  ['/taxonomies/', 'taxonomy'],
  ['/forms/', 'form'],
] as const

async function exportTo(
  t: TestContext,
  { db, pictureFiles }: Workspace,
  out = join(temporaryFolder(t), 'export'),
) {
  await exportContent(db, { out, environment: {}, secretBox, pictureFiles })
  return out
}

function filesOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    paths.sort().map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]),
  )
}

test('contract §3 exporting, syncing into an empty database, and exporting again gives the same files', async (t) => {
  const first = await openWorkspace(t)
  const { added } = await first.synced({ contentDir: EXAMPLE })
  assert.ok(added.length > 40, `${added.length} files`)
  const exported = await exportTo(t, first)
  const second = await openWorkspace(t)
  await second.synced({ contentDir: exported })
  const files = filesOf(exported)
  assert.ok(Object.keys(files).length > added.length)
  assert.deepEqual(filesOf(await exportTo(t, second)), files)
})

test('exported files are valid by their schemas', async (t) => {
  const workspace = await openWorkspace(t)
  await workspace.synced({ contentDir: EXAMPLE })
  const files = Object.entries(filesOf(await exportTo(t, workspace)))
  for (const [folder, kind] of SCHEMAS) {
    const texts = files.filter(([path]) => path.startsWith(folder) && path.endsWith('.yaml'))
    assert.ok(texts.length > 0, folder)
    for (const [path, text] of texts) assert.deepEqual(schemaFaults(kind, text), [], path)
  }
})

test('contract §3 syncing an export changes nothing', async (t) => {
  const workspace = await openWorkspace(t)
  await workspace.synced({ contentDir: EXAMPLE })
  const { content_files: _, ...before } = await allRows(workspace)
  const changes = await workspace.synced({ contentDir: await exportTo(t, workspace) })
  assert.deepEqual(changes, {
    added: [],
    changed: [],
    removed: [],
    kept: [],
    locationServices: { added: 0, removed: 0 },
  })
  const { content_files: __, ...after } = await allRows(workspace)
  assert.deepEqual(after, before)
})

test('the example has the promised services, places, and local pages', async (t) => {
  const workspace = await openWorkspace(t)
  const { locationServices } = await workspace.synced({ contentDir: EXAMPLE })
  const pairs = await listEntriesOf(workspace, 'location_services')
  const services = await listEntriesOf(workspace, 'services')
  const overrides = pairs.filter((pair) => !pair.isGenerated)
  assert.ok(services.length >= 6)
  assert.ok(locationServices.added + overrides.length >= 250)
  assert.ok(overrides.length >= 20)
})

test('an export contains edits from the admin', async (t) => {
  const workspace = await openWorkspace(t, { 'pages/about.md': aPage({ title: 'About' }) })
  await workspace.synced()
  const page = await getEntryOf(workspace, 'pages', 'about')
  const edited = { ...page, title: 'Edited', body: 'Line one\r\nLine two\r\n', status: 'draft' as const }
  await updateEntry(workspace.db, page.id, edited, { now: '2026-11-21T10:00:00.000Z' })
  const text = filesOf(await exportTo(t, workspace))['/pages/about.md']
  assert.equal(text, '---\ntitle: Edited\nstatus: draft\nsummary: Who we are\n---\n\nLine one\nLine two\n')
})

test('a generated location service has no file, and an override only its own parts', async (t) => {
  const workspace = await openWorkspace(t, {
    'taxonomies/locations.yaml': LOCATIONS,
    'services/ac-repair.md': aService({ offeredIn: ['texas/**'] }),
    'location_services/ac-repair/austin.md': '---\ncity: Austin\n---\n',
    'location_services/ac-repair/oklahoma.md': '---\n---\n',
  })
  await workspace.synced()
  const files = filesOf(await exportTo(t, workspace))
  assert.deepEqual(
    Object.entries(files).filter(([path]) => path.startsWith('/location_services')),
    [
      ['/location_services/ac-repair/austin.md', '---\ncity: Austin\n---\n'],
      ['/location_services/ac-repair/oklahoma.md', '---\n---\n'],
    ],
  )
})

test('seeded content isn’t exported', async (t) => {
  const files = filesOf(await exportTo(t, await openWorkspace(t)))
  assert.deepEqual(Object.keys(files), ['/.signpost-export'])
})

test('an edited built-in content type is exported', async (t) => {
  const workspace = await openWorkspace(t)
  const type = (await listContentTypes(workspace.db)).find(({ slug }) => slug === 'pages')
  assert.ok(type)
  const field = { key: 'author', label: 'Author', type: 'text' as const }
  await updateContentType(workspace.db, type.id, { ...type, fields: [...type.fields, field] })
  const exported = await exportTo(t, workspace)
  assert.match(filesOf(exported)['/content_types/pages.yaml'] ?? '', /key: author/)
  const second = await openWorkspace(t)
  assert.deepEqual((await second.synced({ contentDir: exported })).changed, ['content_types/pages.yaml'])
})

test('an export replaces an earlier one and refuses other non-empty folders', async (t) => {
  const workspace = await openWorkspace(t, { 'pages/about.md': aPage(), 'pages/old.md': aPage() })
  await workspace.synced()
  const out = await exportTo(t, workspace)
  workspace.remove('pages/old.md')
  await workspace.synced()
  await exportTo(t, workspace, out)
  assert.deepEqual(Object.keys(filesOf(out)), ['/.signpost-export', '/pages/about.md'])
  const foreign = temporaryFolder(t)
  writeFileSync(join(foreign, 'thesis.txt'), 'x')
  await assert.rejects(exportTo(t, workspace, foreign), /is not empty, and it is not an earlier export/)
})

test('an export doesn’t delete or write through symlinks', async (t) => {
  const workspace = await openWorkspace(t, { 'pages/about.md': aPage() })
  await workspace.synced()
  const out = await exportTo(t, workspace)
  const elsewhere = temporaryFolder(t)
  writeFileSync(join(elsewhere, 'about.md'), 'mine')
  rmSync(join(out, 'pages'), { recursive: true })
  symlinkSync(elsewhere, join(out, 'pages'))
  await assert.rejects(exportTo(t, workspace, out), /pages is a link\. Remove it, or choose another folder/)
  assert.equal(readFileSync(join(elsewhere, 'about.md'), 'utf8'), 'mine')
})

test('an export deletes nothing outside its folder, even with a forged file list', async (t) => {
  const workspace = await openWorkspace(t, { 'pages/about.md': aPage() })
  await workspace.synced()
  const folder = temporaryFolder(t)
  const out = join(folder, 'export')
  await exportTo(t, workspace, out)
  const mine = join(folder, 'mine.txt')
  writeFileSync(mine, 'mine')
  const paths = ['../mine.txt', 'pages/../../mine.txt', mine, '..\\mine.txt']
  writeFileSync(join(out, '.signpost-export'), paths.map((path) => `${path}\n`).join(''))
  await exportTo(t, workspace, out)
  assert.equal(readFileSync(mine, 'utf8'), 'mine')
})

test('an interrupted export can be repeated in the same folder', async (t) => {
  const workspace = await openWorkspace(t, { 'pages/about.md': aPage(), 'pages/old.md': aPage() })
  await workspace.synced()
  const out = join(temporaryFolder(t), 'export')
  const update = () => {
    throw new Error('the disk is full')
  }
  const options = {
    out,
    environment: {},
    secretBox,
    pictureFiles: workspace.pictureFiles,
    progress: { ...silentProgress, update },
  }
  await assert.rejects(exportContent(workspace.db, options), /the disk is full/)
  await exportTo(t, workspace, out)
  assert.deepEqual(Object.keys(filesOf(out)), ['/.signpost-export', '/pages/about.md', '/pages/old.md'])
})

test('§2.6 a place may have a kind, in its file and in the export; other terms have none', async (t) => {
  const terms = (kind: string) =>
    `name: Places\nis_hierarchical: true\nterms:\n  - { slug: florida, name: Florida }\n  - { slug: dade, name: Dade${kind} }\n`
  const workspace = await openWorkspace(t, { 'taxonomies/locations.yaml': terms(', kind: county') })
  await workspace.synced()
  const kinds = async () =>
    (
      await workspace.db.selectFrom('taxonomy_terms').select(['slug', 'kind']).orderBy('position').execute()
    ).map(({ slug, kind }) => `${slug} ${kind}`)
  assert.deepEqual(await kinds(), ['florida null', 'dade county'])
  const rows = await documentsFromDatabase(workspace.db)
  const exported = rows.get('taxonomies/locations.yaml')?.document
  assert.ok(exported?.kind === 'taxonomy')
  assert.deepEqual(
    exported.definition.terms.map((term) => term.kind),
    [undefined, 'county'],
  )
  workspace.write('taxonomies/locations.yaml', terms(''))
  await workspace.synced()
  assert.deepEqual(await kinds(), ['florida null', 'dade null'])
  workspace.write('taxonomies/locations.yaml', terms(', kind: shire'))
  workspace.write('taxonomies/brands.yaml', 'name: Brands\nterms:\n  - { slug: a, name: A, kind: city }\n')
  const result = await workspace.sync()
  assert.ok(result.kind === 'mistakes')
  assert.deepEqual(result.mistakes.map(placed), [
    'taxonomies/brands.yaml:3: only places have a kind, expected kind in taxonomies/locations.yaml',
    'taxonomies/locations.yaml:5: terms[2].kind is "shire", expected one of: country, state, region, county, city, area',
  ])
})
