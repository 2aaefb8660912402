import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { loadOwnSections } from '#src/entries/sections/own-sections.ts'
import { PROGRAM_DIR } from '#src/lib/program/folders.ts'
import { sectionHints } from '#src/messages/admin/entry-problems.ts'
import { ownSectionValues } from '#src/site/sections/section-values.ts'
import { temporaryFolder } from '../../support/database.ts'

const SECTIONS = pathToFileURL(join(PROGRAM_DIR, 'src/site/sections/section.ts')).href

const SECTION_OF_NOTHING = `import { defineSection } from '${SECTIONS}'\nexport default defineSection({})\n`

function loadFrom(t: TestContext, files: Readonly<Record<string, string>>) {
  const site = temporaryFolder(t)
  const folder = join(site, 'src/components/sections')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(site, 'package.json'), '{"type":"module"}')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return loadOwnSections(site)
}

function aSection(fields: string, rest = '', component = 'SeasonalOffer'): Record<string, string> {
  const module = `import { defineSection, picture, pictures, z } from '${SECTIONS}'
export default defineSection({ ${rest} fields: { ${fields} } })
`
  return { [`${component}.astro`]: '', [`${component}.ts`]: module }
}

test('a component is a section with the fields of the file beside it', (t) => {
  const [section] = loadFrom(
    t,
    aSection(
      `heading: z.string().max(9).meta({ title: 'Title', description: 'Short.' }),
       text: z.string().meta({ lines: 3 }).optional(),
       tone: z.enum(['warm', 'cold']).default('warm'),
       until: z.iso.date().nullable(), more: z.url().optional(), price: z.number(), is_new: z.boolean(),
       tags: z.array(z.string())`,
      "label: 'Offer', pages: ['home'],",
    ),
  )
  assert.deepEqual([section?.name, section?.label, section?.pages], ['seasonal_offer', 'Offer', ['home']])
  const shown = section?.fields.map(({ key, label, type, hint, options }) => [
    key,
    label,
    type,
    hint,
    options,
  ])
  assert.deepEqual(shown, [
    ['seasonal_offer_heading', 'Title', 'text', `Short. ${sectionHints.needed}`, undefined],
    ['seasonal_offer_text', 'Text', 'textarea', undefined, undefined],
    ['seasonal_offer_tone', 'Tone', 'text', undefined, ['warm', 'cold']],
    ['seasonal_offer_until', 'Until', 'date', sectionHints.needed, undefined],
    ['seasonal_offer_more', 'More', 'url', undefined, undefined],
    ['seasonal_offer_price', 'Price', 'number', sectionHints.needed, undefined],
    ['seasonal_offer_is_new', 'Is new', 'boolean', sectionHints.needed, undefined],
    ['seasonal_offer_tags', 'Tags', 'list', sectionHints.needed, undefined],
  ])
})

test('a component alone is a section without fields', (t) => {
  const [section] = loadFrom(t, { 'TrustBar.astro': '', '_Part.astro': '', 'Icons.d.ts': '', 'icons.ts': '' })
  assert.deepEqual([section?.name, section?.label, section?.fields], ['trust_bar', 'Trust bar', []])
})

test('list items follow their schema and have no unknown keys', (t) => {
  const [section] = loadFrom(
    t,
    aSection('rows: z.array(z.object({ title: z.string(), photo: picture().optional() })).max(2)'),
  )
  const [rows] = section?.fields ?? []
  assert.deepEqual(
    rows?.fields?.map(({ key, type, required }) => [key, type, required]),
    [
      ['title', 'text', true],
      ['photo', 'picture', false],
    ],
  )
  const codesOf = (value: unknown) => rows?.check.safeParse(value).error?.issues.map(({ message }) => message)
  assert.equal(codesOf([{ title: 'A' }]), undefined)
  assert.deepEqual(codesOf([{ title: 'A', titel: 'B' }]), ['unknown_keys'])
  assert.deepEqual(codesOf([{ title: 'A' }, { title: 'B' }, { title: 'C' }]), ['at_most'])
})

test('a page shows its own value or an inherited one, and no section without a required value', (t) => {
  const sections = loadFrom(
    t,
    aSection("heading: z.string(), tone: z.enum(['warm', 'cold']).default('warm')"),
  )
  const shownOf = (...from: Record<string, unknown>[]) =>
    ownSectionValues(
      { kind: 'service', shown: ['steps', 'seasonal_offer'], from, pictures: new Map() },
      sections,
    )
  assert.deepEqual(shownOf({}, { seasonal_offer_heading: 'Home' }), {
    seasonal_offer: { heading: 'Home', tone: 'warm' },
  })
  assert.deepEqual(shownOf({ seasonal_offer_tone: 'cold' }, { seasonal_offer_heading: 'Home' }), {
    seasonal_offer: { heading: 'Home', tone: 'cold' },
  })
  assert.deepEqual(shownOf({ seasonal_offer_tone: 'cold' }), {})
})

for (const [what, files, code] of [
  ['a name of the program', { 'BeforeAfter.astro': '' }, 'nameTaken'],
  ['a name in lower case', { 'offer.astro': '' }, 'nameInvalid'],
  ['fields without a component', { 'Offer.ts': 'export default {}' }, 'componentMissing'],
  ['a file that exports nothing', { 'Offer.astro': '', 'Offer.ts': 'export {}' }, 'notASection'],
  ['an unknown kind of page', aSection('', "pages: ['home', 'services'],"), 'pagesUnknown'],
  ['an unknown key', aSection('', "lable: 'Offer',"), 'keyUnknown'],
  ['an empty label', aSection('', "label: '',"), 'labelInvalid'],
  ['a section without fields', { 'Offer.astro': '', 'Offer.ts': SECTION_OF_NOTHING }, 'unreadable'],
  ['a file that throws', { 'Offer.astro': '', 'Offer.ts': 'throw new Error("no")' }, 'unreadable'],
  ['a field without an input', aSection('when: z.date()'), 'fieldUnknown'],
  ['a list of numbers', aSection('rows: z.array(z.number())'), 'fieldUnknown'],
  ['numbers in items', aSection('rows: z.array(z.object({ count: z.number() }))'), 'fieldUnknown'],
  ['a field in camel case', aSection('headLine: z.string()'), 'fieldNameInvalid'],
] as const)
  test(`${what} is refused with the file`, (t) => {
    assert.throws(() => loadFrom(t, files), { code })
  })

test('a file that can’t be loaded is reported with the line', (t) => {
  for (const [text, line, reason] of [
    ['throw new Error("no")', 1, 'no'],
    ['\n\nconst a = (', 3, 'Expression expected'],
  ] as const)
    assert.throws(() => loadFrom(t, { 'Offer.astro': '', 'Offer.ts': text }), {
      code: 'unreadable',
      parts: [`src/components/sections/Offer.ts:${line}`, reason],
    })
})

const shownFile = (component: string) => join('src/components/sections', `${component}.astro`)

test('two components with the same section name are refused with both files', (t) => {
  assert.throws(() => loadFrom(t, { 'TrustBar.astro': '', 'TrustBAR.astro': '' }), {
    code: 'nameTwice',
    parts: [shownFile('TrustBar'), shownFile('TrustBAR'), 'trust_bar'],
  })
})

test('two fields with the same key are refused with both files', (t) => {
  const files = {
    ...aSection('list_title: z.string()', '', 'Offer'),
    ...aSection('title: z.string()', '', 'OfferList'),
  }
  assert.throws(() => loadFrom(t, files), {
    code: 'fieldTwice',
    parts: [shownFile('OfferList'), shownFile('Offer'), 'offer_list_title'],
  })
})
