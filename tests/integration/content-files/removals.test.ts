import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { exportContent } from '#src/content-files/export-content.ts'
import { emptyEntryInput } from '#src/entries/editing/entry-input.ts'
import { saveEntry } from '#src/entries/editing/save-entry.ts'
import { listTermIdsOfEntry } from '#src/entries/entry-lookup-store.ts'
import { restoreTrashed } from '#src/entries/trash/restore-trashed.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import { temporaryFolder } from '../../support/database.ts'
import { assertTells, codeOf } from '../../support/wording.ts'
import { aService, findEntryOf, getEntryOf, LOCATIONS, NOW, openWorkspace, secretBox } from './workspace.ts'

const CALLBACK = 'name: Call back\nfields:\n  - { name: phone, type: phone, label: Phone }\n'
const SITE = 'name: Bluebonnet\n'

test('a form with answers is archived when its file is removed, and reactivated when it returns', async (t) => {
  const workspace = await openWorkspace(t, { 'site.yaml': SITE, 'forms/callback.yaml': CALLBACK })
  await workspace.synced()
  const form = () =>
    workspace.db
      .selectFrom('forms')
      .select(['id', 'status'])
      .where('slug', '=', 'callback')
      .executeTakeFirst()
  const before = await form()
  await workspace.db
    .insertInto('form_submissions')
    .values({ form_id: before?.id ?? 0, data_json: '{}' })
    .execute()

  workspace.remove('forms/callback.yaml')
  assert.deepEqual((await workspace.synced()).removed, ['forms/callback.yaml'])
  assert.deepEqual(await form(), { id: before?.id, status: 'archived' })
  const again = await workspace.synced()
  assert.deepEqual([again.removed, again.changed], [[], []])

  workspace.write('forms/callback.yaml', CALLBACK)
  assert.deepEqual((await workspace.synced()).changed, ['forms/callback.yaml'])
  assert.deepEqual(await form(), before)
  const { form_id } = await workspace.db
    .selectFrom('form_submissions')
    .select('form_id')
    .executeTakeFirstOrThrow()
  assert.equal(form_id, before?.id)
})

test('a form without answers is deleted with its file', async (t) => {
  const workspace = await openWorkspace(t, { 'site.yaml': SITE, 'forms/callback.yaml': CALLBACK })
  await workspace.synced()
  workspace.remove('forms/callback.yaml')
  await workspace.synced()
  const forms = await workspace.db.selectFrom('forms').select('slug').execute()
  assert.deepEqual(
    forms.map(({ slug }) => slug),
    ['waitlist'],
  )
})

test('a place removed from its file is in the trash with everything in it, and can be restored', async (t) => {
  const places = (terms: string) =>
    `name: Locations\nis_hierarchical: true\nterms:\n  - { slug: ohio, name: Ohio }\n${terms}`
  const iowa = '  - { slug: iowa, name: Iowa, terms: [{ slug: ames, name: Ames }] }\n'
  const page = '---\ntitle: About\nterms: { locations: [ames] }\n---\nText\n'
  const workspace = await openWorkspace(t, {
    ...{ 'site.yaml': SITE, 'taxonomies/locations.yaml': places(iowa), 'pages/about.md': page },
  })
  await workspace.synced()
  const rows = () => workspace.db.selectFrom('taxonomy_terms').selectAll().orderBy('id').execute()
  const whole = await rows()
  workspace.write('taxonomies/locations.yaml', places(''))
  workspace.write('pages/about.md', page.replace('terms: { locations: [ames] }\n', ''))
  await workspace.synced()
  const [trashed] = await listTrash(workspace.db, { limit: 9 })
  assert.deepEqual([trashed?.name, trashed?.parts, trashed?.source], ['Iowa', 1, 'file'])
  assert.equal((await rows()).length, 1)
  const outcome = await restoreTrashed(workspace.db, trashed?.id ?? 0, { now: new Date() })
  assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
  assert.deepEqual(await rows(), whole)
})

test('a place and a service whose files were gone for one sync keep their IDs and what refers to them', async (t) => {
  const [places, heating, about] = ['taxonomies/locations.yaml', 'services/heating.md', 'pages/about.md']
  const tagged = '---\ntitle: About\nterms: { locations: [dallas] }\n---\nText\n'
  const untagged = tagged.replace('[dallas]', '[austin]')
  const workspace = await openWorkspace(t, {
    [places]: LOCATIONS,
    [heating]: aService({ offeredIn: ['dallas', 'austin'] }),
    [about]: tagged,
  })
  await workspace.synced()
  const idsOf = async () => {
    const terms = await workspace.db
      .selectFrom('taxonomy_terms')
      .select(['slug', 'id'])
      .orderBy('id')
      .execute()
    const entries = workspace.db.selectFrom('content_entries').select(['slug', 'id']).orderBy('id')
    return [terms, await entries.execute()]
  }
  const before = await idsOf()
  workspace.remove(heating)
  const withoutDallas = LOCATIONS.replace('      - { slug: dallas, name: Dallas }\n', '')
  workspace.write(places, withoutDallas)
  workspace.write(about, untagged)
  await workspace.synced()
  workspace.write(places, withoutDallas.replace('  - { slug: oklahoma, name: Oklahoma }\n', ''))
  await workspace.synced()

  workspace.write(heating, aService({ title: 'Heat', offeredIn: ['dallas', 'austin'] }))
  workspace.write(places, LOCATIONS.replace('name: Dallas', 'name: Big D'))
  const { added } = await workspace.synced()
  assert.deepEqual([await idsOf(), added], [before, [heating]])
  assert.equal((await getEntryOf(workspace, 'services', 'heating')).title, 'Heat')
  assert.deepEqual(await listTrash(workspace.db, { limit: 9 }), [])
  // The link to Dallas returned with it, but the file of the page doesn't have it any more.
  const page = await getEntryOf(workspace, 'pages', 'about')
  const austin = before[0]?.find(({ slug }) => slug === 'austin')?.id
  assert.deepEqual(await listTermIdsOfEntry(workspace.db, page.id), [austin])
  const again = await workspace.synced()
  assert.deepEqual([again.changed, again.kept], [[], []])
})

test('the admin’s entries no longer name a service and a review whose files were removed', async (t) => {
  const workspace = await openWorkspace(t, {
    'taxonomies/locations.yaml': LOCATIONS,
    'services/cooling.md': aService({ offeredIn: ['austin'] }),
    'services/heating.md': aService({ offeredIn: ['dallas'] }),
    'testimonials/jo.md': '---\ntitle: Great\nauthor: Jo\n---\nGood work.\n',
  })
  await workspace.synced()
  const save = async (typeSlug: string, input: object, id?: number) => {
    const type = await findContentType(workspace.db, typeSlug)
    assert.ok(type)
    const values = { ...emptyEntryInput({}), ...input }
    const outcome = await saveEntry(workspace.db, { type, id, input: values }, { now: NOW })
    assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
  }
  const page = await getEntryOf(workspace, 'location_services', 'cooling/austin')
  const jo = await getEntryOf(workspace, 'testimonials', 'jo')
  await save('location_services', { fields: { ...page.data, local_testimonials: String(jo.id) } }, page.id)
  await save('testimonials', { slug: 'al', title: 'Al', fields: { author: 'Al', service: 'heating' } })
  workspace.remove('testimonials/jo.md')
  workspace.remove('services/heating.md')
  await workspace.synced()
  const data = async (typeSlug: string, slug: string) => (await getEntryOf(workspace, typeSlug, slug)).data
  assert.deepEqual(await data('testimonials', 'al'), { author: 'Al' })
  assert.equal((await data('location_services', 'cooling/austin')).local_testimonials, undefined)
  assert.equal(await findEntryOf(workspace, 'location_services', 'heating/dallas'), undefined)
  const again = await workspace.synced()
  assert.deepEqual([again.changed, again.removed], [[], []])

  for (const { id } of await listTrash(workspace.db, { limit: 2 }))
    assert.equal((await restoreTrashed(workspace.db, id, { now: NOW })).kind, 'saved')
  assert.equal((await data('testimonials', 'al')).service, 'heating')
  assert.equal((await data('location_services', 'cooling/austin')).local_testimonials, String(jo.id))
  assert.ok(await findEntryOf(workspace, 'location_services', 'heating/dallas'))
})

test('an empty folder after a full one removes nothing and says so', async (t) => {
  const workspace = await openWorkspace(t, { 'site.yaml': SITE, 'forms/callback.yaml': CALLBACK })
  await workspace.synced()
  await assert.rejects(
    workspace.sync({ contentDir: temporaryFolder(t) }),
    /has no content files, but 2 were synced before/,
  )
  assert.equal((await workspace.db.selectFrom('forms').select('id').execute()).length, 2)
})

test('a file that isn’t UTF-8 is an error with its line', async (t) => {
  const workspace = await openWorkspace(t)
  workspace.write('pages/cafe.md', '')
  writeFileSync(
    join(workspace.contentDir, 'pages/cafe.md'),
    Buffer.from('---\ntitle: Caf\xe9\n---\n', 'latin1'),
  )
  const result = await workspace.sync()
  assert.ok(result.kind === 'mistakes')
  assert.deepEqual(
    result.mistakes.map(({ path, line }) => [path, line]),
    [['pages/cafe.md', 2]],
  )
  assertTells(result.mistakes[0], /UTF-8/)
})

test('environment values are never exported, even after renames', async (t) => {
  const webhook =
    '  - { name: CRM, url: "https://example.com/${TOKEN}", headers: { Authorization: "Bearer ${TOKEN}" } }'
  const workspace = await openWorkspace(t, { 'forms/callback.yaml': `${CALLBACK}webhooks:\n${webhook}\n` })
  await workspace.synced({ environment: { TOKEN: 'tok-OLD' } })
  const headers_json = JSON.stringify({ authorization: 'Bearer tok-OLD' })
  await workspace.db.updateTable('form_webhooks').set({ name: 'Renamed', headers_json }).execute()

  const out = join(temporaryFolder(t), 'export')
  await exportContent(workspace.db, {
    out,
    environment: { TOKEN: 'tok-OLD' },
    secretBox,
    pictureFiles: workspace.pictureFiles,
  })
  const text = readFileSync(join(out, 'forms/callback.yaml'), 'utf8')
  assert.doesNotMatch(text, /tok-/)
  assert.match(text, /url: https:\/\/example\.com\/\$\{TOKEN\}\n/)
  assert.match(text, /authorization: ••••/)
})

test('anything but a file in the content folder is an error and blocks nothing', async (t) => {
  const workspace = await openWorkspace(t, { 'site.yaml': SITE })
  const at = (path: string) => join(workspace.contentDir, path)
  mkdirSync(at('pages'))
  mkdirSync(at('elsewhere'))
  execFileSync('mkfifo', [at('pages/pipe.md')])
  symlinkSync('nowhere.md', at('pages/dangling.md'))
  symlinkSync('../elsewhere', at('pages/folder.md'))
  writeFileSync(at('.hidden-page'), '---\ntitle: About\n---\n')
  symlinkSync('../.hidden-page', at('pages/about.md'))
  writeFileSync(at('pages/huge.md'), '')
  truncateSync(at('pages/huge.md'), 33 * 1024 * 1024)
  const result = await workspace.sync()
  assert.ok(result.kind === 'mistakes')
  assert.deepEqual(
    result.mistakes.map(({ path, fault }) => `${path}: ${codeOf(fault)}`),
    [
      'pages/dangling.md: link_broken',
      'pages/folder.md: not_a_file',
      'pages/huge.md: file_too_large',
      'pages/pipe.md: not_a_file',
    ],
  )
})

test('contract §2 a CONTENT_DIR that is a file is reported like a missing one', async (t) => {
  const workspace = await openWorkspace(t, { 'site.yaml': SITE })
  const contentDir = join(workspace.contentDir, 'site.yaml')
  await assert.rejects(
    workspace.sync({ contentDir }),
    /There is no content folder at .*site\.yaml\. Create it/,
  )
})
