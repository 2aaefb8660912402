import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { OPERATOR_NAMES } from '#src/conditions/operators.ts'
import { service } from '#src/entries/meanings/meanings.ts'
import { ABOUT_SERVICES } from '#src/entries/offers/follow-service.ts'
import { rulesOf } from '#src/entries/types/builtin/registry.ts'
import * as slugs from '#src/entries/types/builtin/slugs.ts'
import { FIELD_TYPE_NAMES } from '#src/forms/field-types/field-types.ts'
import { toLayoutView } from '#src/site/pages/layout-view.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Every program file of src, by its path. */
const SOURCES = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter((one) => one.isFile() && /\.(ts|astro)$/.test(one.name))
  .map((one) => join(one.parentPath, one.name).slice(ROOT.length + 1))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

/** The files outside a folder or file that match a pattern. */
function filesNaming(pattern: RegExp, { owner }: { owner: string }): string[] {
  assert.ok(SOURCES.some(({ path }) => path.startsWith(owner)))
  return SOURCES.filter(({ path }) => !path.startsWith(owner))
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .sort()
}

const oneOf = (names: readonly string[]) => `'(?:${names.join('|')})'`

test('each file and folder in the table exists, and no row needs more files than it lists', () => {
  const rows = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
    .split('\n')
    .filter((line) => /^\| an? .*\| +\d+ +\|$/.test(line))
  assert.ok(rows.length >= 5)
  for (const row of rows) {
    const [, , touched = '', most] = row.split('|')
    const paths = [...touched.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)
    assert.ok(paths.length > 0 && paths.length <= Number(most), row)
    for (const path of paths) assert.ok(existsSync(join(ROOT, path)), `${path} is gone`)
  }
})

/** What has types of its own by some of the same names. */
const OTHER_TYPES = {
  'src/admin/editing/form-content.ts': 'an input of HTML',
  'src/admin/editing/row-list.ts': 'an input of HTML',
  'src/admin/entries/fields/EntryField.astro': 'the fields of entries',
  'src/admin/entries/versions/readable-field.ts': 'the fields of entries',
  'src/admin/kit/Field.astro': 'an input of HTML',
  'src/admin/kit/FieldControl.astro': 'an input of HTML',
  'src/components/site/FieldValue.astro': 'the fields of entries',
  'src/entries/sections/section-fields.ts': 'the fields of sections',
  'src/site/settings/home-section-fields.ts': 'the fields of sections',
}

test('only its own file checks a form field type by name', () => {
  const pattern = new RegExp(`\\b\\w*[tT]ype\\)? (?:===|!==) ${oneOf(FIELD_TYPE_NAMES)}`)
  assert.deepEqual(filesNaming(pattern, { owner: 'src/forms/field-types/' }), Object.keys(OTHER_TYPES))
})

// Words of everyday that other things are called by too: SQL, options of functions.
const EVERYDAY = ['eq', 'in', 'includes', 'contains', 'empty', 'within']

test('only their table names condition operators', () => {
  const own = OPERATOR_NAMES.filter((name) => !EVERYDAY.includes(name))
  const pattern = new RegExp(`${oneOf(own)}|\\bop (?:===|!==) '|case ${oneOf(OPERATOR_NAMES)}:`)
  assert.deepEqual(filesNaming(pattern, { owner: 'src/conditions/operators.ts' }), [])
})

/** SQL that reads one type; the rest is no type. */
const NAMES_OF_TYPES = {
  'src/conditions/condition-slugs.ts': 'a plural',
  'src/conditions/renamed-store.ts': 'SQL of a feature that knows no entries',
  'src/entries/offers/location-service-store.ts': 'SQL',
  'src/messages/admin/history/causes.ts': 'plurals',
  'src/messages/admin/terms.ts': 'a plural',
  'src/pages/admin/coverage/index.astro': 'a parameter of the address',
  'src/publish/notices/site-text-store.ts': 'SQL',
  'src/site/forms/form-usage-store.ts': 'SQL',
  'src/site/pages/layout-view.ts': 'keys of a view',
  'src/submissions/search/names-store.ts': 'SQL of a feature that knows no entries',
}

test('only its own file names a built-in content type', () => {
  const owner = 'src/entries/types/builtin/'
  const known = Object.values(slugs)
  for (const slug of known) assert.equal(rulesOf(slug).slug, slug)
  // Releases and reports have pages too.
  const pattern = new RegExp(oneOf(known.filter((slug) => slug !== slugs.PAGES)))
  assert.deepEqual(filesNaming(pattern, { owner }), Object.keys(NAMES_OF_TYPES))
  const constants = `(?:${Object.keys(slugs).join('|')})`
  const compared = new RegExp(`(?:===|!==) ${constants}\\b|\\b${constants} (?:===|!==)`)
  assert.deepEqual(filesNaming(compared, { owner }), [])
})

test('a service’s new slug reaches each type that names services', () => {
  const types = SOURCES.filter(({ path }) => path.startsWith('src/entries/types/builtin/'))
    .filter(({ text }) => /import \{[^}]*\bservice\b[^}]*\} from '[./]+meanings\/meanings\.ts'/.test(text))
    .map(({ path }) => basename(path, '.ts').replaceAll('-', '_'))
  assert.deepEqual(types.sort(), [...ABOUT_SERVICES].sort())
  for (const type of types) assert.equal(rulesOf(type).meanings.service, service)
})

test('the layout has no setting that pages don’t show', () => {
  const settings = Object.fromEntries(Object.keys(siteSettings.shape).map((key) => [key, undefined]))
  const layout = toLayoutView(
    { ...settings, ...siteSettings.parse({ name: 'Bluebonnet' }) },
    { services: [], pages: [], areas: [], siteUrl: '', defaultForm: undefined, pictures: new Map() },
  )
  const shown = (key: string) => {
    const read = new RegExp(`layout\\.${key}\\b|\\{[^}]*\\b${key}\\b[^}]*\\} = Astro\\.props\\.layout\\b`)
    return SOURCES.some(({ text }) => read.test(text))
  }
  const unused = Object.keys(settings).filter((key) => key in layout && !shown(key))
  assert.deepEqual(
    unused,
    [],
    'an internal setting belongs in INTERNAL_SETTINGS, others in OTHERS of layout-view.ts',
  )
})

test('a custom type has no rules', () => {
  const { slug, ...rules } = rulesOf('projects')
  assert.deepEqual([slug, rules], ['projects', { noun: 'entry', meanings: {} }])
})
