import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { suggestedAnswers } from '#scripts/new/answers.ts'
import { packageSpec } from '#scripts/new/package-spec.ts'
import { shellWord } from '#scripts/new/shell-word.ts'
import { siteContent } from '#scripts/new/site-content.ts'
import { siteFiles } from '#scripts/new/site-files.ts'
import { temporaryFolder } from '../support/database.ts'
import { skipWithout } from '../support/needed-tool.ts'
import { PROJECT_DIR } from '../support/running-site.ts'
import { listEntriesOf, openWorkspace } from './content-files/workspace.ts'

const withoutScript = skipWithout(existsSync('/usr/bin/script'), 'script (util-linux) is missing')

/** All files of a site of roofers in two places. */
const FILES = [
  '.env.example',
  '.github/workflows/check.yml',
  '.gitignore',
  '.npmrc',
  'README.md',
  'astro.config.mjs',
  'content/forms/quote.yaml',
  'content/location_services/roof-repair/dublin.md',
  'content/services/roof-repair.md',
  'content/services/roof-replacement.md',
  'content/site.yaml',
  'content/taxonomies/locations.yaml',
  'package.json',
  'src/components/.gitkeep',
  'src/pages/.gitkeep',
  'src/styles/site.css',
  'tsconfig.json',
]

/** Runs `signpost new` with these lines as its standard input. */
function answer(folder: string, lines: readonly string[]) {
  const input = lines.map((line) => `${line}\n`).join('')
  return spawnSync(process.execPath, [join(PROJECT_DIR, 'scripts/new.ts'), folder], {
    input,
    encoding: 'utf8',
  })
}

test('signpost new asks five questions and repeats each with the reason until the answer is valid', async (t) => {
  const folder = join(temporaryFolder(t), 'site')
  const { status, stdout } = answer(folder, [
    'Dublin Roofers',
    'thatching',
    'Roofing',
    'call us',
    'XX 123',
    'IE 12',
    'IE (01) 555 0142',
    ' , ',
    'Dublin, Cork, dublin',
    'Dublin, 東京',
    'Dublin, Cork',
    '1 Quay Street',
  ])
  assert.equal(status, 0, stdout)
  assert.equal(stdout.match(/Places you serve/g)?.length, 4)
  assert.match(stdout, /Street address of the business \(optional\): /)
  assert.match(stdout, /Before you deploy, set SITE_URL in \.env to the site’s public URL$/m)
  for (const reason of [
    /"thatching"; expected/,
    /"call us"/,
    /"XX 123"/,
    /"12" can’t be dialed/,
    /one place/,
    /dublin appears/,
    /"東京"/,
  ])
    assert.match(stdout, reason)

  const content = (path: string) => readFileSync(join(folder, 'content', path), 'utf8')
  assert.match(content('site.yaml'), /name: Dublin Roofers.*country: IE.*RoofingContractor.*1 Quay Street/s)
  assert.match(content('site.yaml'), /^time_zone: Europe\/Dublin$/m)
  assert.match(content('location_services/roof-repair/dublin.md'), /in Dublin/)
  assert.match(
    content('taxonomies/locations.yaml'),
    /slug: ireland.*slug: cork\n\s+name: Cork\n\s+kind: city/s,
  )
  assert.equal(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name, 'dublin-roofers')
  assert.deepEqual(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .flatMap((entry) => (entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name))] : []))
      .sort(),
    FILES,
  )
  assert.match(
    readFileSync(join(folder, 'README.md'), 'utf8'),
    /another port, set `PORT` in `\.env`.*`package-lock\.json`.*Commit it/s,
  )
  assert.match(readFileSync(join(folder, '.env.example'), 'utf8'), /^# PORT=4321$/m)
})

test('signpost new without all answers creates nothing and says what to do', (t) => {
  const folder = join(temporaryFolder(t), 'site')
  for (const lines of [[], ['Dublin Roofers', 'roofing']]) {
    const { status, stderr } = answer(folder, lines)
    assert.equal(status, 1)
    assert.match(stderr, /add --yes/)
    assert.equal(existsSync(folder), false)
  }
})

test('signpost new asks on a terminal, and Ctrl+D creates nothing', { skip: withoutScript }, (t) => {
  const folder = join(temporaryFolder(t), 'site')
  const command = `'${process.execPath}' '${join(PROJECT_DIR, 'scripts/new.ts')}' '${folder}'`
  const type = (keys: string) =>
    spawnSync('script', ['-qec', command, '/dev/null'], { input: keys, encoding: 'utf8' })
  const left = type('Dublin Roofers\r\x04')
  assert.deepEqual([left.status, existsSync(folder)], [1, false])
  assert.match(left.stdout, /No site was created/)
  const made = type('Dublin Roofers\r\r\r\r\r')
  assert.equal(made.status, 0, made.stdout)
  assert.match(readFileSync(join(folder, 'content/site.yaml'), 'utf8'), /name: Dublin Roofers/)
})

for (const [what, changes] of [
  ['the suggested answers', {}],
  ['a city that has the name of its country', { country: 'SG', phone: '6521 2345', places: ['Singapore'] }],
  [
    'a name with characters of YAML',
    { name: "'A': #1 & {b}", address: '- 1: "Quay"', places: ['St. John’s'] },
  ],
] as const)
  test(`the content of a new site syncs: ${what}`, async (t) => {
    const answers = {
      ...suggestedAnswers(),
      ...changes,
      places: [...(changes.places ?? ['Denver', 'Aurora'])],
    }
    const workspace = await openWorkspace(t, siteContent(answers))
    await workspace.synced()
    const pages = await listEntriesOf(workspace, 'location_services')
    assert.equal(pages.length, 2 * answers.places.length)
  })

test('signpost new --help says what it asks for, and where the public URL is set', () => {
  const script = join(PROJECT_DIR, 'scripts/new.ts')
  const { stdout } = spawnSync(process.execPath, [script, '--help'], { encoding: 'utf8' })
  assert.match(stdout, /asks for the business name, .*street address.*public URL: set SITE_URL in \.env/s)
})

/** Runs `signpost new` with the suggested answers, in a folder. */
function makeIn(cwd: string, ...options: string[]) {
  const args = [join(PROJECT_DIR, 'scripts/new.ts'), '--yes', ...options]
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
}

test('signpost new refuses a folder with files, and a file', (t) => {
  const folder = temporaryFolder(t)
  for (const name of ['full', 'versioned/.git', 'empty']) mkdirSync(join(folder, name), { recursive: true })
  for (const name of ['full/notes.txt', 'file']) writeFileSync(join(folder, name), '')
  for (const [name, reason] of [
    ['full', /^full is not empty\. Choose/],
    ['file', /^file can’t be created because part of its path is a file\. Choose/],
    ['file/site', /^file\/site can’t be created because part of its path is a file/],
  ] as const) {
    const { status, stderr } = makeIn(folder, name)
    assert.equal(status, 1)
    assert.match(stderr, reason)
  }
  assert.deepEqual(readdirSync(join(folder, 'full')), ['notes.txt'])
  for (const name of ['versioned', 'empty']) assert.equal(makeIn(folder, name).status, 0)
})

test('signpost new prints the folder as one word of a command', (t) => {
  assert.match(makeIn(temporaryFolder(t), 'my site').stdout, /^ {2}cd 'my site'$/m)
  for (const [path, platform, word] of [
    ['sites/one', 'linux', 'sites/one'],
    ['café', 'linux', 'café'],
    ['Ann’s $5', 'linux', "'Ann’s $5'"],
    ["Ann's", 'linux', "'Ann'\\''s'"],
    ['sites\\one', 'win32', 'sites\\one'],
    ['my site', 'win32', '"my site"'],
  ] as const)
    assert.equal(shellWord(path, platform), word)
})

test('signpost new refuses a folder as --package', (t) => {
  const folder = temporaryFolder(t)
  for (const name of ['program', 'program.tgz', 'one/program'])
    mkdirSync(join(folder, name), { recursive: true })
  for (const spec of [
    './program',
    'file:program',
    'program',
    'one/program',
    'program.tgz',
    '../missing',
    '.',
  ]) {
    const { status, stderr } = makeIn(folder, 'site', '--package', spec)
    assert.equal(status, 2, spec)
    assert.match(stderr, /--package is ".*"; expected a version or a tarball, such as \.\/signpost-\d/)
  }
  assert.equal(existsSync(join(folder, 'site')), false)
  for (const spec of ['1.2.0', '^1.2.0', 'next', 'https://example.com/signpost.tgz'])
    assert.equal(packageSpec('site', spec), spec)
})

test('a new site depends on the tarball of --package, relative to the current folder', (t) => {
  const folder = temporaryFolder(t)
  const made = makeIn(folder, 'sites/one', '--package', 'file:./signpost-1.0.0.tgz')
  assert.equal(made.status, 0, made.stderr)
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'sites/one/package.json'), 'utf8'))
  assert.equal(dependencies.signpost, 'file:../../signpost-1.0.0.tgz')
})

test('a business whose name has no slug still gets a package name', () => {
  const { 'package.json': text = '{}' } = siteFiles({ name: '東京屋根', spec: '1.0.0' })
  assert.equal(JSON.parse(text).name, 'site')
})

test('a new site decides on the installation scripts of the program, and of nothing for its development', () => {
  const { packages } = JSON.parse(readFileSync(join(PROJECT_DIR, 'package-lock.json'), 'utf8'))
  const locked: [string, { hasInstallScript?: boolean; dev?: boolean }][] = Object.entries(packages)
  const wanting = locked.flatMap(([path, { hasInstallScript, dev }]) =>
    hasInstallScript && !dev ? [path.replace(/^.*node_modules\//, '')] : [],
  )
  const { 'package.json': text = '{}' } = siteFiles({ name: 'Acme', spec: '1.0.0' })
  // Node is a dependency of a site. SQLite has a build file that npm would run.
  assert.deepEqual(Object.keys(JSON.parse(text).allowScripts), ['better-sqlite3', ...wanting, 'node'])
})
