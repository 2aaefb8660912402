import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEntry } from '#src/content-files/parsing/parse-entry.ts'
import type { ContentType } from '#src/entries/types/content-type-store.ts'
import { describeFileFault } from '#src/messages/files/mistakes.ts'
import { aFile } from '../../support/content-plans.ts'
import { codeOf } from '../../support/wording.ts'

function aType(values: Partial<ContentType> = {}): ContentType {
  return {
    ...{ id: 1, slug: 'projects', name: 'Projects', description: null, isBuiltin: false, sortOrder: 1 },
    ...{ isRoutable: true, routePattern: '/projects/{slug}', detailPartial: null },
    fields: [
      { key: 'year', label: 'Year', type: 'number' },
      { key: 'form', label: 'Form', type: 'text' },
      { key: 'cover', label: 'Cover', type: 'picture' },
    ],
    ...values,
  }
}

const PATH = 'projects/roof.md'
const parse = (text: string, { path = PATH, ...type }: Partial<ContentType> & { path?: string } = {}) =>
  parseEntry({ path, text }, aType(type))

for (const [written, utc] of [
  ['2026-12-01T10:00+01:00', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T10:00Z', '2026-12-01T10:00:00.000Z'],
  ['2026-12-01T10:00:30.5-00:30', '2026-12-01T10:30:30.500Z'],
  ['2026-12-01T10:00', undefined],
  ['2026-12-01T10+01:00', undefined],
  ['2026-02-30T10:00Z', undefined],
] as const)
  test(`§3 publish_at: ${written} ${utc ? 'is read' : 'is refused'}`, () => {
    const { document, mistakes } = parse(`---\ntitle: Roof\npublish_at: ${written}\n---\n`)
    assert.equal(document?.kind === 'entry' ? document.publish_at : undefined, utc)
    const expected = `publish_at is "${written}", expected a date and time in UTC, such as 2026-12-01T08:00:00Z`
    assert.deepEqual(
      mistakes.map(({ fault }) => describeFileFault(fault)),
      utc ? [] : [expected],
    )
  })

test('an entry’s document has what its file says, in order and without empty values', () => {
  const text = `---
title: Roof
publish_at: 2026-12-01T09:00:00+01:00
unpublish_at: null
redirect_from: [/Old/]
terms: { moods: [dry, calm, dry], places: [], locations: [austin] }
form: quote
year: 2026
---

![A](shop.jpg)
`
  const { document, mistakes } = parse(text)
  assert.deepEqual(mistakes, [])
  const expected = {
    ...{ kind: 'entry', type: 'projects', slug: 'roof', title: 'Roof', status: 'published' },
    ...{ publish_at: '2026-12-01T08:00:00.000Z', redirect_from: ['/Old'] },
    terms: { locations: ['austin'], moods: ['calm', 'dry'] },
    fields: { year: 2026, form: 'quote' },
    body: '![A](shop.jpg)',
  }
  assert.deepEqual(document, expected)
  assert.deepEqual(document?.kind === 'entry' && Object.keys(document.terms), ['locations', 'moods'])
})

test('an entry’s references have their lines', () => {
  const text = `---
title: Roof
redirect_from:
  - /old
terms:
  moods:
    - calm
form: quote
cover: front.jpg
---

Text

![A](shop.jpg)
`
  assert.deepEqual(parse(text).references, [
    { line: 1, to: 'content_type', slug: 'projects' },
    { line: 7, to: 'term', taxonomy: 'moods', slug: 'calm', entryType: 'projects' },
    { line: 8, to: 'shown', key: 'form', name: 'quote' },
    { line: 4, to: 'here', from: '/old' },
    { line: 9, to: 'picture', name: 'front.jpg' },
    { line: 14, to: 'picture', name: 'shop.jpg' },
  ])
  assert.deepEqual(
    parse('---\ntitle: Roof\nform: quote\n---\n', { fields: [] }).references.map(({ to }) => to),
    ['content_type'],
  )
})

test('a location service refers to its service and its place', () => {
  const type = {
    slug: 'location_services',
    routePattern: '/services/{service_slug}/{location_slug}',
    isBuiltin: true,
  }
  assert.deepEqual(parse('---\n---\n', { ...type, path: 'location_services/repair/austin.md' }).references, [
    { line: 1, to: 'content_type', slug: 'location_services' },
    { line: 1, to: 'entry', type: 'services', slug: 'repair' },
    { line: 1, to: 'term', taxonomy: 'locations', slug: 'austin' },
  ])
})

const TITLED = '---\ntitle: A\n---\n'

for (const [name, text, options, expected] of [
  ['a wrong ending', TITLED, { path: 'projects/roof.txt' }, '1 ending_wrong'],
  ['a wrong name', TITLED, { path: 'projects/Roof.md' }, '1 name_wrong'],
  ['a name in too many folders', TITLED, { path: 'projects/a/roof.md' }, '1 path_wrong'],
  ['a name in too few folders', TITLED, { routePattern: '/{year}/{slug}' }, '1 path_wrong'],
  ['two parts', TITLED, { path: 'projects/a/roof.md', routePattern: '/{year}/{slug}' }, ''],
  [
    'a wrong second part',
    TITLED,
    { path: 'projects/a/B.md', routePattern: '/{year}/{slug}' },
    '1 name_wrong',
  ],
  ['no pattern', TITLED, { routePattern: null }, ''],
  ['two parts without a pattern', TITLED, { path: 'projects/a/b.md', routePattern: null }, '1 path_wrong'],
  ['no front matter', 'Text\n', {}, '1 front_matter_missing'],
  ['broken YAML', '---\ntitle: A\nyear: "\n---\n', {}, '3 yaml_invalid'],
  ['a wrong value', '---\ntitle: A\nyear: x\n---\n', {}, '3 value_wrong/type'],
  [
    'a picture of another site',
    '---\ntitle: A\n---\nText\n![B](https://b.example/b.png)\n',
    {},
    '5 picture_foreign',
  ],
] as [string, string, Partial<ContentType> & { path?: string }, string][]) {
  test(`the file of an entry with ${name}: ${expected || 'no mistake'}`, () => {
    const { mistakes } = parse(text, options)
    assert.equal(mistakes.map(({ line, fault }) => `${line} ${codeOf(fault)}`).join(), expected)
    assert.ok(mistakes.every(({ path }) => path === (options.path ?? PATH)))
  })
}

test('a wrong path is reported with the right one', () => {
  const [mistake] = parse(TITLED, { routePattern: '/{year}/{slug}' }).mistakes
  assert.deepEqual(mistake?.fault, { code: 'path_wrong', params: { path: 'projects/{year}/{slug}.md' } })
})

for (const [path, text, expected] of [
  ['taxonomies/a/b.yaml', 'name: A\n', '1 path_expected'],
  ['taxonomies/a.yml', 'name: A\n', '1 path_expected'],
  ['taxonomies/A.yaml', 'name: A\n', '1 slug_invalid'],
  ['taxonomies/a_b-c.yaml', 'name: A\n', ''],
  ['taxonomies/a-.yaml', 'name: A\n', '1 slug_invalid'],
  ['taxonomies/a.yaml', 'name: A\nname: B\n', '2 yaml_invalid'],
  ['taxonomies/a.yaml', 'nam: A\n', '1 value_missing/type,1 unknown_key'],
  ['taxonomies/a.yaml', 'name: A\nterms:\n  - { slug: b, name: B, kind: city }\n', '3 place_kind_elsewhere'],
  [
    'taxonomies/a.yaml',
    'name: A\nis_hierarchical: true\nterms: [{ slug: b, name: B, terms: [{ slug: c, name: C,\n kind: city }] }]\n',
    '4 place_kind_elsewhere',
  ],
  ['taxonomies/locations.yaml', 'name: A\nterms:\n  - { slug: b, name: B, kind: city }\n', ''],
  ['content_types/pictures.yaml', 'name: A\n', '1 type_slug_taken'],
  ['content_types/9.yaml', 'name: A\n', '1 type_slug_invalid'],
  ['content_types/a.yaml', 'name: A\nis_routable: true\n', '1 value_missing/route_missing'],
  ['forms/a.yaml', 'name: A\n', '1 value_missing/type'],
  ['site.yaml', 'name: "\n', '1 yaml_invalid'],
] as const) {
  test(`${path} with ${JSON.stringify(text)}: ${expected || 'no mistake'}`, () => {
    const file = aFile(path, text)
    assert.equal(file.mistakes.map(({ line, fault }) => `${line} ${codeOf(fault)}`).join(), expected)
    assert.equal(file.document === undefined, expected !== '')
    assert.ok(file.mistakes.every((mistake) => mistake.path === path))
  })
}
