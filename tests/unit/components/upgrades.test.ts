import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { notesBetween } from '#scripts/upgrade/changelog-notes.ts'
import { COMPONENTS, RENAMED, type Renaming } from '#src/integration/components.ts'
import { checkOverrides } from '#src/integration/upgrades/check-overrides.ts'
import { compareComponents, missingProps, removesUsed } from '#src/integration/upgrades/compare-components.ts'
import { propsOf, readComponents } from '#src/integration/upgrades/component-facts.ts'
import { listReplacements } from '#src/integration/upgrades/list-replacements.ts'
import { readOverrideRecord, writeOverrideRecord } from '#src/integration/upgrades/override-record.ts'
import { renameNames } from '#src/integration/upgrades/rename-names.ts'
import { PROGRAM_DIR } from '#src/lib/program/folders.ts'
import { describeComponentChange } from '#src/messages/command-line/upgrade.ts'
import { findLooks } from '#src/site/theme/looks.ts'
import { temporaryFolder } from '../../support/database.ts'

test('the props of a component are those of its interface', () => {
  const source = `---
interface Props extends Other {
  /** Comment: with a colon */
  view: PageView<{ a: string; b: number }>
  size?: 'small' | 'large'
  rows: [
    string,
  ]
  class?: string; title: string }
const more: string = ''
---`
  assert.deepEqual(propsOf(source), {
    view: 'PageView<{ a: string; b: number }>',
    'size?': "'small' | 'large'",
    rows: '[ string, ]',
    'class?': 'string',
    title: 'string',
  })
})

test('a component is removed, has changed props, has a changed source, or is unchanged', () => {
  const before = { hash: 'a', props: { view: 'View', 'size?': 'string', old: 'string' } }
  assert.equal(compareComponents(before, before), undefined)
  assert.deepEqual(compareComponents(before, undefined), { kind: 'gone' })
  assert.deepEqual(compareComponents(before, { ...before, hash: 'b' }), { kind: 'source' })
  assert.deepEqual(
    compareComponents(before, { hash: 'b', props: { view: 'Other', 'size?': 'string', fresh: 'string' } }),
    {
      kind: 'parts',
      props: { added: ['fresh'], removed: ['old'], changed: ['view'] },
      slots: { added: [], removed: [] },
    },
  )
  assert.deepEqual(missingProps({ view: 'View', size: 'string', extra: 'x', 'more?': 'x' }, before.props), [
    'extra',
  ])
})

test('a removed slot has to be changed first if the override fills it', (t) => {
  const before = { hash: 'a', props: {}, slots: ['before', 'after'] }
  const change = compareComponents(before, { hash: 'b', props: {}, slots: ['after', 'end'] })
  assert.ok(change)
  assert.equal(describeComponentChange(change), 'new slots end; removed slots before')
  // Records of earlier versions have no slots.
  assert.deepEqual(compareComponents({ ...before, slots: undefined }, { ...before, hash: 'b' }), {
    kind: 'source',
  })
  const file = join(temporaryFolder(t), 'Header.astro')
  writeFileSync(file, '<Default {...Astro.props}><p slot="after">Open</p></Default>')
  assert.equal(removesUsed(change, file), false)
  writeFileSync(file, '<Default {...Astro.props}><p slot="before">Open</p></Default>')
  assert.equal(removesUsed(change, file), true)
})

test('an override declares a prop that isn’t passed and the version it was written for', (t) => {
  const site = temporaryFolder(t)
  mkdirSync(join(site, 'src'))
  writeFileSync(
    join(site, 'src/Steps.astro'),
    '---\ninterface Props {\n  steps: string[]\n  tone: string\n}\n---\n',
  )
  const overrides = [{ name: 'Steps', file: 'src/Steps.astro' }]
  const isAbout = (parts: string[]) => (doubt: string) => parts.every((part) => doubt.includes(part))
  const [missing = '', ...others] = checkOverrides(site, overrides)
  assert.ok(isAbout(['src/Steps.astro', 'tone'])(missing), missing)
  assert.deepEqual(others, [])

  const now = readComponents(PROGRAM_DIR, COMPONENTS).get('Steps')
  assert.ok(now)
  const before = { version: '0.0.9', hash: 'another', props: { ...now.props, old: 'string' } }
  writeOverrideRecord(site, { Steps: before })
  const [, outdated = ''] = checkOverrides(site, overrides)
  assert.ok(isAbout(['src/Steps.astro', '0.0.9', 'old'])(outdated), outdated)
})

test('components of a site’s looks are replacements, those of the program’s looks are not', (t) => {
  const site = temporaryFolder(t)
  const look = join(site, 'looks/coastal')
  mkdirSync(look, { recursive: true })
  copyFileSync(join(PROGRAM_DIR, 'looks/photographic/look.json'), join(look, 'look.json'))
  const fonts = readdirSync(join(PROGRAM_DIR, 'looks/photographic')).filter((file) => file.endsWith('.woff2'))
  for (const file of fonts) copyFileSync(join(PROGRAM_DIR, 'looks/photographic', file), join(look, file))
  writeFileSync(join(look, 'Steps.astro'), '---\ninterface Props { tone: string }\n---\n')
  const replacements = listReplacements(site, { Faq: './src/Faq.astro' }, findLooks(site))
  assert.deepEqual(replacements, [
    { name: 'Faq', file: 'src/Faq.astro' },
    { name: 'Steps', file: 'looks/coastal/Steps.astro' },
  ])
  const [doubt = ''] = checkOverrides(site, replacements.slice(1))
  assert.match(doubt, /^looks\/coastal\/Steps\.astro needs the prop "tone"/)
})

test('an invalid record of overrides is refused with its place', (t) => {
  const site = temporaryFolder(t)
  const refusal = (text: string) => {
    writeFileSync(join(site, 'signpost.overrides.json'), text)
    try {
      readOverrideRecord(site)
    } catch (error) {
      const { code, parts } = error as { code: string; parts: string[] }
      return [code, parts[0], ...(code === 'recordInvalid' ? [parts[1]] : [])]
    }
    return undefined
  }
  const file = 'signpost.overrides.json'
  assert.deepEqual(refusal('{\n  "Header": {\n    "version" "0.1.0"\n  }\n}\n'), [
    'recordUnreadable',
    `${file}:3:15`,
  ])
  assert.deepEqual(refusal('{\n  "Header": {\n'), ['recordUnreadable', `${file}:2:14`])
  assert.deepEqual(refusal('{ "Header": { "version": 1, "hash": "a", "props": {} } }'), [
    'recordInvalid',
    file,
    'Header.version',
  ])
  assert.equal(refusal('{}'), undefined)
})

test('missing props are found in aliases, intersections, and imported types', (t) => {
  const site = temporaryFolder(t)
  mkdirSync(join(site, 'src'))
  const write = (file: string, text: string) => writeFileSync(join(site, 'src', file), text)
  write(
    'tone.ts',
    'export type Tone = Readonly<{ tone: string }>\nexport interface Sized extends Tone { size?: 1 }\n',
  )
  write(
    'Part.astro',
    "---\nimport type { Sized as Big } from './tone.ts'\ntype Props = Big & { part: 1 }\n---\n",
  )
  const missing = (types: string) => {
    const imports = [
      "import type { ComponentProps } from 'astro/types'",
      "import Default from 'signpost/components/Steps.astro'",
      "import Part from './Part.astro'",
      "import type { Tone } from './tone.ts'",
    ]
    write('Steps.astro', ['---', ...imports, types, "const text = 'a;b'", '---', ''].join('\n'))
    const doubts = checkOverrides(site, [{ name: 'Steps', file: 'src/Steps.astro' }])
    return doubts.map((doubt) => /prop "(\w+)"/.exec(doubt)?.[1])
  }
  const original = 'ComponentProps<typeof Default>'
  for (const [types, props] of [
    [`type Props = ${original}`, []],
    [`type Props = ${original} & { tone: string; size?: 'a' | 'b' }`, ['tone']],
    [`type Props = Partial<Tone> & ${original} // { old: 1 }`, []],
    [`type Props =\n  & Omit<${original}, 'heading'>\n  & Tone\n  & { steps: Array<() => void> }`, ['tone']],
    [
      `interface Extra { a: 1; b?: Map<string, { c: 1 }> }\ntype Props = ${original} & Required<Extra>;`,
      ['a', 'b'],
    ],
    ['type Props = Pick<ComponentProps<typeof Part>, "part">', ['part']],
    [
      'interface Props extends ComponentProps<typeof Part>, Partial<Tone> { steps: string[] }',
      ['tone', 'part'],
    ],
    [`type Props = ${original} & (Tone | { part: 1 }) & Unknown<Tone>`, []],
    ['type Props = Other & { tone: 1 }\ntype Other = Props', ['tone']],
  ] as const)
    assert.deepEqual(missing(types), props, types)
})

test('every public component is listed with its props', () => {
  const all = readComponents(PROGRAM_DIR, COMPONENTS)
  assert.equal(all.size, Object.keys(COMPONENTS).length)
  const bare = [...all].filter(([, { props }]) => Object.keys(props).length === 0).map(([name]) => name)
  assert.deepEqual(bare, [])
})

test('notes come from later versions, under their headings', () => {
  const changelog = `# Changelog

## [1.2.0] - 2026-12-01

### Added

- New.

### Changed

- One
  line.
- Two.

## 1.1.0

### Removed

- Three.

## 1.0.0

### Removed

- Old.
`
  assert.deepEqual(notesBetween('1.0.0', changelog), ['- One\n  line.', '- Two.', '- Three.'])
})

const RENAMINGS: Renaming[] = [
  { kind: 'component', from: 'Header', to: 'Masthead' },
  { kind: 'export', module: 'signpost/content', from: 'getPlaces', to: 'getAreas' },
  { kind: 'key', from: 'tagline', to: 'slogan' },
]
const OLD_AND_NEW: Readonly<Record<string, [string, string]>> = {
  'astro.config.mjs': [
    "signpost({ components: { Header: './src/components/Header.astro' } })",
    "signpost({ components: { Masthead: './src/components/Header.astro' } })",
  ],
  'signpost.overrides.json': [
    '{\n  "Header": { "hash": "Header" }\n}',
    '{\n  "Masthead": { "hash": "Header" }\n}',
  ],
  'src/components/Header.astro': [
    "---\nimport Default from 'signpost/components/Header.astro'\n---\n<Default />",
    "---\nimport Default from 'signpost/components/Masthead.astro'\n---\n<Default />",
  ],
  'src/pages/map.astro': [
    "---\nimport { getPlaces, getSite } from 'signpost/content'\nconst places = await getPlaces()\n---",
    "---\nimport { getAreas as getPlaces, getSite } from 'signpost/content'\nconst places = await getPlaces()\n---",
  ],
  'src/pages/list.ts': [
    "import { getPlaces as all } from 'signpost/content'\nimport { getPlaces } from './places.ts'",
    "import { getAreas as all } from 'signpost/content'\nimport { getPlaces } from './places.ts'",
  ],
  'content/site.yaml': ['name: A\ntagline: B # tagline: C\n', 'name: A\nslogan: B # tagline: C\n'],
  'content/pages/a.md': ['---\ntagline: B\n---\ntagline: C\n', '---\nslogan: B\n---\ntagline: C\n'],
}

test('an upgrade renames old names in a site’s files once and changes no other text', (t) => {
  const site = temporaryFolder(t)
  const same = 'src/components/Same.astro'
  for (const [file, [text]] of [...Object.entries(OLD_AND_NEW), [same, ['<p>Header tagline</p>']] as const]) {
    mkdirSync(dirname(join(site, file)), { recursive: true })
    writeFileSync(join(site, file), text)
  }
  const files = Object.keys(OLD_AND_NEW).sort()
  assert.deepEqual(renameNames(site, RENAMINGS, { write: false }).sort(), files)
  assert.deepEqual(renameNames(site, RENAMINGS, { write: true }).sort(), files)
  for (const [file, [, text]] of Object.entries(OLD_AND_NEW))
    assert.equal(readFileSync(join(site, file), 'utf8'), text, file)
  assert.deepEqual(renameNames(site, RENAMINGS, { write: true }), [])
})

test('an upgrade renames the files of a look’s components', (t) => {
  const look = join(temporaryFolder(t), 'looks/coastal')
  mkdirSync(look, { recursive: true })
  const text = "import Default from 'signpost/components/Header.astro'"
  writeFileSync(join(look, 'Header.astro'), `---\n${text}\n---\n`)
  const site = join(look, '../..')
  assert.deepEqual(renameNames(site, RENAMINGS, { write: false }), ['looks/coastal/Header.astro'])
  assert.deepEqual(renameNames(site, RENAMINGS, { write: true }), ['looks/coastal/Header.astro'])
  assert.equal(existsSync(join(look, 'Header.astro')), false)
  assert.match(readFileSync(join(look, 'Masthead.astro'), 'utf8'), /components\/Masthead\.astro/)
})

test('a replaced name is never reused', () => {
  for (const { kind, from, to } of RENAMED)
    if (kind === 'component') assert.ok(!(from in COMPONENTS) && to in COMPONENTS, from)
})
