import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { describeFileFault } from '#src/messages/files/mistakes.ts'
import { aPage, aService, getEntryOf, LOCATIONS, openWorkspace } from './workspace.ts'

const PROJECTS = 'name: Projects\nis_routable: true\nroute_pattern: /projects/{slug}\n'

async function mistakesIn(t: TestContext, files: Record<string, string>, before?: Record<string, string>) {
  const workspace = await openWorkspace(t, before ?? files)
  if (before) {
    await workspace.synced()
    for (const [path, text] of Object.entries(files)) workspace.write(path, text)
  }
  const result = await workspace.sync()
  assert.equal(result.kind, 'mistakes', JSON.stringify(result))
  return result.mistakes.map(({ path, line, fault }) => `${path}:${line} ${describeFileFault(fault)}`)
}

const SITE = {
  'taxonomies/locations.yaml': LOCATIONS,
  'services/ac-repair.md': aService({ offeredIn: ['austin'], more: 'duration: An hour\n' }),
  'location_services/ac-repair/austin.md': '---\nintro: Here\n---\n',
}

test('§2.9 a built-in type without a route pattern is one error, in its own file', async (t) => {
  const type = 'name: Location Services\ndetail_partial: our_place\n'
  assert.deepEqual(await mistakesIn(t, { ...SITE, 'content_types/location_services.yaml': type }), [
    'content_types/location_services.yaml:1 is_routable is missing, expected true and the route_pattern /services/{service_slug}/{location_slug}, because Location Services is a built-in type, and its file replaces the whole type',
  ])
})

test('§2.9 a built-in type keeps fields that its file omits', async (t) => {
  const type = 'name: Our services\nis_routable: true\nroute_pattern: /our/{slug}\n'
  const workspace = await openWorkspace(t, { ...SITE, 'content_types/services.yaml': type })
  await workspace.synced()
  assert.equal((await getEntryOf(workspace, 'services', 'ac-repair')).data.duration, 'An hour')
  const stored = await findContentType(workspace.db, 'services')
  assert.equal(stored?.name, 'Our services')
  assert.ok(stored.fields.some(({ key }) => key === 'duration'))
})

test('§2.9 a built-in type keeps its route placeholders, which name its files', async (t) => {
  const type = 'name: Our services\nis_routable: true\nroute_pattern: /services/{kind}/{slug}\n'
  assert.deepEqual(await mistakesIn(t, { ...SITE, 'content_types/services.yaml': type }), [
    'content_types/services.yaml:3 route_pattern has 2 placeholders, expected 1, because Services is a built-in type',
  ])
})

test('a file with a wrong extension is one error, and files that refer to it aren’t blamed', async (t) => {
  const { 'taxonomies/locations.yaml': locations, ...site } = SITE
  const files = {
    ...site,
    'taxonomies/locations.yml': locations,
    'forms/quote.yml': 'name: Quote\nfields: []\n',
    'pages/about.md': '---\ntitle: About\nform: quote\n---\n',
    'content_types/projects.yml': PROJECTS,
    'projects/roof.md': '---\ntitle: Roof\n---\n',
  }
  assert.deepEqual(await mistakesIn(t, files), [
    'content_types/projects.yml:1 expected content_types/<slug>.yaml',
    'forms/quote.yml:1 expected forms/<slug>.yaml',
    'taxonomies/locations.yml:1 expected taxonomies/<slug>.yaml',
  ])
})

test('an unreadable type is one error, and its entries aren’t blamed', async (t) => {
  const files = {
    'content_types/projects.yaml': `${PROJECTS}\0`,
    'projects/roof.md': '---\ntitle: Roof\n---\n',
  }
  const mistakes = await mistakesIn(t, files)
  assert.deepEqual(mistakes.length, 1)
  assert.match(mistakes[0] ?? '', /^content_types\/projects\.yaml:4 the character/)
})

test('when a stored type’s file has an error, entries with its new field aren’t blamed', async (t) => {
  const before = { 'content_types/projects.yaml': PROJECTS, 'projects/roof.md': '---\ntitle: Roof\n---\n' }
  const schema = 'schema:\n  fields:\n    - { key: year, label: Year, type: number }\n'
  const files = {
    'content_types/projects.yaml': `${PROJECTS}${schema}sort: 7\n`,
    'projects/roof.md': '---\ntitle: Roof\nyear: 2026\n---\n',
    'pages/about.md': `---\ntitle: About\nterms: { moods: [calm] }\n---\n`,
  }
  assert.deepEqual(
    (await mistakesIn(t, files, before)).map((text) => text.replace(/, expected.*/, '')),
    ['content_types/projects.yaml:7 unknown key sort', 'pages/about.md:3 unknown taxonomy "moods"'],
  )
})

test('a page may refer to an entry of a type whose file has an error', async (t) => {
  const files = {
    ...SITE,
    'content_types/services.yaml': 'nam: Services\n',
    'testimonials/ann.md': '---\ntitle: Ann\nauthor: Ann\nservice: ac-repair\n---\n\nQuick.\n',
    'pages/about.md': aPage(),
  }
  const mistakes = await mistakesIn(t, files)
  assert.ok(
    mistakes.every((mistake) => mistake.startsWith('content_types/services.yaml')),
    mistakes.join('\n'),
  )
})
