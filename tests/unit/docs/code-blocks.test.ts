import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
import { parseDocument } from 'yaml'
import { type ContentType, listContentTypes } from '#src/entries/types/content-type-store.ts'
import { frontMatterSchema } from '#src/entries/types/entry-schema.ts'
import { usages } from '#src/messages/command-line/usage.ts'
import { type ContentKind, schemaFaults } from '../../support/content-schemas.ts'
import { openTestDatabase } from '../../support/database.ts'
import { PAGES, readProject } from '../../support/documentation.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'

interface Block {
  page: string
  line: number
  language: string
  text: string
  /** The nearest heading above it. */
  heading: string
}

const BLOCKS = PAGES.flatMap(blocksOf)

/** What these hold is not for a program, or runs in its own test. */
const READ_ELSEWHERE: Record<string, string[]> = {
  text: [],
  ini: ['tests/integration/supply-chain.test.ts'],
  nginx: ['tests/integration/server/behind-nginx.test.ts', 'tests/integration/publish/static-copy.test.ts'],
  python: ['tests/integration/webhooks/verifying-examples.test.ts'],
  php: ['tests/integration/webhooks/verifying-examples.test.ts'],
  go: ['tests/integration/webhooks/verifying-examples.test.ts'],
}

const CHECKED = ['yaml', 'json', 'sh', 'js', 'astro', 'html']

const blocksIn = (language: string) => BLOCKS.filter((block) => block.language === language)
const placeOf = ({ page, line }: Block) => `${page}:${line}`

test('every code block has a tested language', () => {
  assert.ok(BLOCKS.length > 50, `only ${BLOCKS.length} blocks`)
  const languages = new Set(BLOCKS.map(({ language }) => language))
  assert.deepEqual([...languages].sort(), [...Object.keys(READ_ELSEWHERE), ...CHECKED].sort())
  for (const file of Object.values(READ_ELSEWHERE).flat())
    assert.ok(existsSync(join(PROJECT_DIR, file)), file)
})

test('JSON blocks are JSON', () => {
  for (const block of blocksIn('json')) assert.doesNotThrow(() => JSON.parse(block.text), placeOf(block))
})

/** What a YAML block is: a whole file of a kind, a part of one, or front matter of a type. */
const YAML: [page: string, heading: string, as: (text: string) => { kind: ContentKind; text: string }[]][] = [
  ['content/README.md', 'site.yaml', (text) => [{ kind: 'site', text }]],
  // The section of the example exists only in its site.
  [
    'docs/own-site.md',
    'Add sections',
    (text) => [
      { kind: 'site', text: `name: A\n${text.replace(/^home:\n.*\n/, '').replaceAll('guarantee, ', '')}` },
    ],
  ],
  ['docs/looks.md', 'Looks', (text) => [{ kind: 'site', text: `name: A\n${text}` }]],
  ['content/README.md', 'theme', (text) => [{ kind: 'site', text: `name: A\n${text}` }]],
  [
    'content/README.md',
    'taxonomies/',
    (text) => [{ kind: 'taxonomy', text: /^name:/.test(text) ? text : `name: A\nterms:\n${text}` }],
  ],
  [
    'content/README.md',
    'forms/',
    (text) =>
      /^name:/.test(text)
        ? [{ kind: 'form', text }]
        : text.split('\n').map((line) => ({ kind: 'form', text: formWith(line) })),
  ],
  [
    'docs/forms.md',
    'Notifications',
    (text) => [{ kind: 'form', text: `name: A\nfields: [{ name: role, label: Role }]\n${text}` }],
  ],
  [
    'docs/forms.md',
    'Replies to visitors',
    (text) => [{ kind: 'form', text: `name: A\nfields: [{ name: role, label: Role }]\n${text}` }],
  ],
  ['content/README.md', 'content_types/', (text) => [{ kind: 'content-type', text }]],
  ['docs/reference/content-keys.md', 'Content keys', (text) => [{ kind: 'form', text }]],
]

const FRONT_MATTER: Record<string, string> = {
  'services/': 'services',
  'location_services/': 'location_services',
  'testimonials/': 'testimonials',
  'pages/': 'pages',
  'pictures/': 'services',
  'Schedules and old URLs': 'pages',
}

test('YAML blocks are parts of valid files', async (t) => {
  const types = await listContentTypes(await openTestDatabase(t))
  for (const block of blocksIn('yaml')) {
    // Those of the quick start are synced as they are: see its test.
    if (block.page === 'docs/quick-start.md') continue
    assert.deepEqual(faultsOf(block, types), [], placeOf(block))
  }
})

function faultsOf({ page, heading, text }: Block, types: readonly ContentType[]): string[] {
  const [, , as] = YAML.find(([ofPage, under]) => page === ofPage && heading === under) ?? []
  if (as) return as(text.trimEnd()).flatMap((file) => schemaFaults(file.kind, file.text))
  const type = types.find(({ slug }) => page === 'content/README.md' && slug === FRONT_MATTER[heading])
  if (!type) return [`nothing is known of YAML under "${heading}"`]
  const values = parseDocument(text.replaceAll(/^---$/gm, '')).toJS()
  const result = frontMatterSchema(type).safeParse({ title: 'A title', ...fromPage(values, type) })
  return (result.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
}

// A testimonial needs its author, wherever the block is about something else.
function fromPage(values: object, { fields }: ContentType) {
  const needed = fields.filter(({ required, type }) => required && type === 'text')
  return { ...Object.fromEntries(needed.map(({ key }) => [key, 'A text'])), ...values }
}

function formWith(line: string): string {
  return `name: A\nfields: [{ name: role, label: Role }]\nwebhooks:\n  - url: https://a.example\n    ${line}`
}

test('shell blocks parse, and their commands and options are known', () => {
  for (const block of blocksIn('sh')) {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: block.text, encoding: 'utf8' })
    assert.equal(status, 0, `${placeOf(block)} ${stderr}`)
    for (const line of block.text.trimEnd().split('\n'))
      assert.match(
        line,
        /^(npm (ci|install|pack|start|run)|npx |cd |[A-Z0-9_]+=|echo |rm -r |sudo |SITE=)/,
        placeOf(block),
      )
  }
})

test('every npm script and option that any page names is known', () => {
  const scripts: object = JSON.parse(readProject('package.json')).scripts
  const named = PAGES.flatMap((page) =>
    [...readProject(page).matchAll(/npm run ([\w:-]+)((?: +[^\s`|…)]+)*)/g)].map(
      ([, name = '', rest = '']) => ({
        page,
        name,
        options: rest.match(/(?<= )--[a-z][\w-]*/g) ?? [],
      }),
    ),
  )
  assert.ok(named.length > 80, `only ${named.length}`)
  assert.deepEqual(
    named.filter(({ name }) => !(name in scripts)),
    [],
  )
  const unknown = named.flatMap(({ page, name, options }) =>
    options
      .filter((option) => option !== '--help' && !usageOf(name).includes(option))
      .map((option) => `${page}: ${name} ${option}`),
  )
  assert.deepEqual(unknown, [])
})

function usageOf(script: string): string {
  const all = Object.values(usages).map((usage) => (typeof usage === 'string' ? usage : usage('')))
  return (
    all.find(
      (usage) => usage.startsWith(`npm run ${script}`) && !/^[\w:-]/.test(usage.slice(8 + script.length)),
    ) ?? ''
  )
}

test('JavaScript blocks compile', async () => {
  for (const block of blocksIn('js'))
    await assert.doesNotReject(transform(block.text, { loader: 'ts' }), placeOf(block))
})

test('Astro blocks have front matter that compiles and imports that exist', async () => {
  for (const block of blocksIn('astro')) {
    const [, code = ''] = /^---\n(.*?)\n---\n/s.exec(block.text) ?? []
    await assert.doesNotReject(transform(code, { loader: 'ts' }), placeOf(block))
    const imports = [...code.matchAll(/from '([^']+)'/g)].map(([, path = '']) => path)
    assert.ok(imports.length > 0)
    for (const path of imports) assert.ok(OF_A_SITE.has(path) || existsSync(fileOf(path)), path)
  }
})

// Files that another block describes.
const OF_A_SITE = new Set(['./Guarantee.ts'])

// What a site imports of the package is compiled from the file in `src`.
function fileOf(path: string): string {
  if (/^[.#]/.test(path)) return join(PROJECT_DIR, 'src/components/partials', path.replace('#src', '../..'))
  const target = EXPORTS[path.replace(/^signpost/, '.')]
  return target
    ? join(PROJECT_DIR, target.replace('./package/', '').replace(/\.js$/, '.ts'))
    : fileURLToPath(import.meta.resolve(path))
}

const EXPORTS: Record<string, string> = JSON.parse(readProject('package.json')).exports

test('HTML blocks use the script of an example form', () => {
  for (const { text } of blocksIn('html')) {
    const [, form] =
      /^<script src="https:\/\/www\.example\.com\/forms\/([\w-]+)\/embed\.js" defer><\/script>\n$/.exec(
        text,
      ) ?? []
    assert.ok(existsSync(join(PROJECT_DIR, `content/forms/${form}.yaml`)), text)
  }
})

function blocksOf(page: string): Block[] {
  const text = readProject(page)
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ 1: language = '', 2: code = '', index }) => {
    const above = text.slice(0, index)
    const heading = [...above.matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? ''
    return { page, line: above.split('\n').length, language, text: code, heading }
  })
}
