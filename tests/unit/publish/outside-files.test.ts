import assert from 'node:assert/strict'
import { mkdirSync, realpathSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { PROGRAM_DIR } from '#src/lib/program/folders.ts'
import { derivedFromFile } from '#src/publish/plan/derived-from-file.ts'
import { listOutsideFiles, realPath, siteFile } from '#src/publish/plan/outside-files.ts'
import { temporaryFolder } from '#tests/support/database.ts'

/** The folder `site` with these files, by path and text. */
function aSite(t: TestContext, files: Record<string, string>) {
  const site = join(realpathSync(temporaryFolder(t)), 'site')
  function write(name: string, text: string) {
    const file = join(site, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  function link(name: string, target: string) {
    mkdirSync(dirname(join(site, name)), { recursive: true })
    symlinkSync(join(site, target), join(site, name))
  }
  return { site, link }
}

test('a site consists of the files that its configuration names and that its files import', (t) => {
  const { site, link } = aSite(t, {
    'astro.config.mjs':
      "{ a: 'parts/Header.astro', b: \"./parts/Footer.astro\", c: 'none.astro', d: 'src', e: `parts` }",
    'parts/Header.astro': "import { name } from './name'",
    'parts/Footer.astro': '',
    'parts/unused.ts': '',
    'parts/name.ts': "import '../src/page.ts'; import './deep'; import './away.js'",
    'parts/deep/index.ts': "import './below.tsx'; import '../name'",
    'parts/deep/below.tsx': '',
    'parts/away.ts': '',
    'src/page.ts': `import '../lib/typed.js'; import "../lib/plain.js"; import \`../lib/module.mjs\`
      import '../lib/component.jsx'; import './own'; import '../lib/raw.txt?raw'; import '../lib/none'
      import '../lib/mixed"; import 'lib/bare.ts'; import '../lib/odd.js.map'`,
    'src/style.css': "@import '../lib/colors.css'",
    'src/picture.png': "'../lib/seen.ts'",
    'src/own.ts': '',
    'lib/typed.ts': '',
    'lib/plain.js': '',
    'lib/plain.ts': '',
    'lib/module.mts': '',
    'lib/component.tsx': '',
    'lib/raw.txt': "'./seen.ts'",
    'lib/colors.css': '',
    'lib/seen.ts': '',
    'lib/bare.ts': '',
    'lib/odd.ts.map': '',
    'looks/dark/look.css': '',
    'looks/.git/config': '',
    '../other/linked.ts': "import './beside.ts'",
    '../other/beside.ts': '',
  })
  link('src/linked.ts', '../other/linked.ts')
  link('src/again.ts', 'src/own.ts')
  assert.deepEqual(listOutsideFiles(site), [
    '../other/beside.ts',
    '../other/linked.ts',
    'lib/colors.css',
    'lib/component.tsx',
    'lib/module.mts',
    'lib/plain.js',
    'lib/raw.txt',
    'lib/typed.ts',
    'looks/dark/look.css',
    'parts/Footer.astro',
    'parts/Header.astro',
    'parts/away.ts',
    'parts/deep/below.tsx',
    'parts/deep/index.ts',
    'parts/name.ts',
  ])
})

test('a site consists of the files of linked packages, too', (t) => {
  const { site, link } = aSite(t, {
    'package.json': JSON.stringify({
      dependencies: { '@agency/linked': '*', installed: '*', missing: '*', above: '*' },
      devDependencies: { tool: '*' },
    }),
    'node_modules/installed/index.js': '',
    '../linked/Faq.astro': "import '../shared/names.ts'",
    '../linked/data.bin': "'../shared/unused.ts'",
    '../linked/node_modules/other/index.js': '',
    '../linked/.git/HEAD': '',
    '../shared/names.ts': '',
    '../shared/unused.ts': '',
    '../tool/bin/tool.js': '',
    '../unnamed/index.js': '',
  })
  link('node_modules/@agency/linked', '../linked')
  link('node_modules/tool', '../tool')
  link('node_modules/unnamed', '../unnamed')
  // It would bring the whole site.
  link('node_modules/above', '..')
  assert.deepEqual(listOutsideFiles(site), [
    ...['../linked/Faq.astro', '../linked/data.bin', '../shared/names.ts', '../tool/bin/tool.js'],
  ])
  rmSync(join(site, 'package.json'))
  assert.deepEqual(listOutsideFiles(site), [])
})

test('files of the program are not the site’s, and links lead to the files themselves', (t) => {
  const { site, link } = aSite(t, { 'parts/a.ts': '', '../b.ts': '' })
  const program = join(PROGRAM_DIR, 'package.json')
  link('parts/b.ts', '../b.ts')
  symlinkSync(program, join(site, 'parts/program.json'))
  assert.equal(siteFile(site, join(site, 'parts/a.ts')), 'parts/a.ts')
  assert.equal(siteFile(site, join(site, 'parts/b.ts')), '../b.ts')
  assert.equal(siteFile(site, join(site, 'parts/none.ts')), 'parts/none.ts')
  assert.equal(siteFile(site, program), undefined)
  assert.equal(siteFile(site, join(site, 'parts/program.json')), undefined)
  assert.equal(realPath(join(site, 'parts/b.ts')), join(dirname(site), 'b.ts'))
  assert.equal(realPath(join(site, 'none/../b')), join(site, 'b'))

  mkdirSync(join(site, 'src'))
  writeFileSync(join(site, 'src/page.ts'), "import '../parts/program.json'; import '../parts/a'")
  assert.deepEqual(listOutsideFiles(site), ['parts/a.ts'])
})

test('a file is read again once it has changed, and while it may still change unnoticed', (t) => {
  const { site } = aSite(t, { 'a.txt': 'one' })
  const file = join(site, 'a.txt')
  const read: string[] = []
  const textOf = derivedFromFile((bytes) => {
    read.push(`${bytes}`)
    return `${bytes}`.length
  })
  const { ctimeMs } = statSync(file)
  t.mock.timers.enable({ apis: ['Date'], now: Math.ceil(ctimeMs) + 1_900 })
  for (let time = 0; time < 2; time++) assert.equal(textOf(file), 3)
  assert.deepEqual(read, ['one', 'one'])
  t.mock.timers.setTime(Math.ceil(ctimeMs) + 2_001)
  for (let time = 0; time < 3; time++) assert.equal(textOf(file), 3)
  assert.deepEqual(read, ['one', 'one', 'one'])
  writeFileSync(file, 'three')
  utimesSync(file, 1, 1)
  t.mock.timers.setTime(ctimeMs + 60_000)
  for (let time = 0; time < 2; time++) assert.equal(textOf(file), 5)
  assert.deepEqual(read.slice(3), ['three'])
  assert.deepEqual([textOf(site), textOf(join(site, 'none'))], [undefined, undefined])
})
