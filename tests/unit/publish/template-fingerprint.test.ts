import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { PROGRAM_DIR } from '#src/lib/program/folders.ts'
import { bundleFingerprint, templateFingerprint } from '#src/publish/plan/template-fingerprint.ts'
import { temporaryFolder } from '#tests/support/database.ts'

test('a bundle’s fingerprint changes with each edit, even of a file already read', async (t) => {
  const site = temporaryFolder(t)
  mkdirSync(join(site, 'src/pages'), { recursive: true })
  const file = join(site, 'src/pages/about.astro')
  writeFileSync(file, 'one')
  // As if they had been there for a while: only then is a file not read again.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 60_000 })
  const seen = [await bundleFingerprint(site)]
  assert.equal(await bundleFingerprint(site), seen[0])
  const edits = [
    () => writeFileSync(file, 'three'),
    () => {
      const { atime, mtime } = statSync(file)
      writeFileSync(`${file}.new`, 'seven')
      utimesSync(`${file}.new`, atime, mtime)
      renameSync(`${file}.new`, file)
    },
    () => renameSync(file, join(site, 'src/pages/contact.astro')),
    () => writeFileSync(file, ''),
    () => rmSync(file),
    () => writeFileSync(join(site, 'signpost.overrides.json'), '{}'),
  ]
  for (const edit of edits) {
    edit()
    seen.push(await bundleFingerprint(site))
  }
  assert.equal(seen.at(-2), seen.at(-4), 'the added file is gone')
  assert.equal(new Set(seen).size, edits.length)
})

const HEADER = 'node_modules/@agency/parts/Header.astro'

// A site with replaced components outside `src`, and a package that is a link to a folder.
function aSite(t: TestContext) {
  const site = join(temporaryFolder(t), 'site')
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(site, name)), { recursive: true })
    writeFileSync(join(site, name), text)
  }
  write('astro.config.mjs', configuration("Header: './parts/Header.astro', "))
  write('package.json', '{ "dependencies": { "@agency/linked": "file:../linked" } }')
  write('parts/Header.astro', "---\nimport { name } from './name'\n---\n")
  write('parts/name.ts', "export * from '../../shared/names.js'")
  write('../shared/names.ts', '')
  write('../linked/Faq.astro', '')
  write('../linked/node_modules/other/index.js', '')
  write(HEADER, '')
  symlinkSync('../../../linked', join(site, 'node_modules/@agency/linked'))
  write('src/pages/about.astro', "<script src='../../scripts/menu.js'></script>")
  write('scripts/menu.js', '')
  write('README.md', '')
  return { site, write }
}

function configuration(components: string): string {
  return `export default { integrations: [signpost({ components: { ${components}Faq: './src/Faq.astro' } })] }`
}

test('a bundle’s fingerprint covers files outside src, public files, and every lock file', async (t) => {
  const { site, write } = aSite(t)
  const seen = [await bundleFingerprint(site)]
  for (const name of [
    'parts/Header.astro',
    'parts/name.ts',
    '../shared/names.ts',
    '../linked/Faq.astro',
    'scripts/menu.js',
    'public/robots.txt',
    'package-lock.json',
    'pnpm-lock.yaml',
    'yarn.lock',
  ]) {
    write(name, `${name === 'parts/name.ts' ? "export * from '../../shared/names.ts'" : "'./name'"} // new`)
    const next = await bundleFingerprint(site)
    assert.notEqual(next, seen.at(-1), name)
    seen.push(next)
  }
  for (const name of ['README.md', '../linked/node_modules/other/index.js', HEADER]) write(name, 'new')
  assert.equal(await bundleFingerprint(site), seen.at(-1))
  rmSync(join(site, 'parts/Header.astro'))
  assert.notEqual(await bundleFingerprint(site), seen.at(-1))
})

test('a bundle’s fingerprint covers the lock file of a workspace', async (t) => {
  const { site, write } = aSite(t)
  const seen = [await bundleFingerprint(site)]
  for (const text of ['{ "one": 1 }', '{ "two": 2 }']) {
    write('../package-lock.json', text)
    seen.push(await bundleFingerprint(site))
  }
  assert.equal(new Set(seen).size, 3)
})

test('a bundle’s fingerprint covers content collections outside src', async (t) => {
  const { site, write } = aSite(t)
  write('src/content.config.ts', "glob({ pattern: '**/*.md', base: './posts' }), file('people.json')")
  write('posts/2026/first.md', 'one')
  write('people.json', '[]')
  write('notes/first.md', 'one')
  let before = await bundleFingerprint(site)
  for (const name of ['posts/2026/first.md', 'posts/second.md', 'people.json']) {
    write(name, 'another')
    const after = await bundleFingerprint(site)
    assert.notEqual(after, before, name)
    before = after
  }
  write('notes/first.md', 'another')
  assert.equal(await bundleFingerprint(site), before)
})

test('pages without a replaced component outside src keep their template fingerprint', async (t) => {
  const { site, write } = aSite(t)
  const of = (...files: string[]) => templateFingerprint(site, { assetNames: [], files })
  const own = ['parts/Header.astro', 'parts/name.ts', '../shared/names.ts']
  const before = await of(...own)
  assert.notEqual(await of(), before, 'files that belong to no component belong to every page')
  write('parts/Header.astro', "---\nimport { name } from './name'\n---\nnew")
  write('../shared/names.ts', 'new')
  assert.equal(await of(...own), before)
  write('astro.config.mjs', configuration(''))
  assert.equal(await of(), before, 'removed')
  write('astro.config.mjs', configuration(`Header: './${HEADER}', `))
  assert.equal(await of(HEADER), before, 'another file')
  const configured = async (text: string) => {
    write('astro.config.mjs', `export default { integrations: [signpost(${text})] }`)
    return of()
  }
  const plain = await configured('')
  for (const same of [
    '{}',
    '{ components: {} }',
    "{ components: { Faq: 'a.astro', Steps: 'b.astro' } }",
    '{\n}',
    ' { \n } ',
    "{components:{Faq:'a.astro',Steps:'b.astro',},}",
    ` { components : { Faq : 'a.astro' , Steps\n:\n"b.astro" } , } `,
  ])
    assert.equal(await configured(same), plain, same)
  const withLooks = await configured("{looks:['a']}")
  for (const same of ["{ looks: ['a'] }", "{\n components: { Faq: 'a.astro' },\n looks: ['a',],\n}"])
    assert.equal(await configured(same), withLooks, same)
  for (const other of ["{ looks: ['a'] }", "{ components: { faq: 'a.astro' } }", 'x'])
    assert.notEqual(await configured(other), plain, other)
  write('astro.config.mjs', configuration(`Header: './${HEADER}', `))
  const named = (...assetNames: string[]) => templateFingerprint(site, { assetNames, files: [HEADER] })
  assert.equal(await named('a.css', 'b.js'), await named('b.js', 'a.css'))
  for (const names of [['a.css'], ['a.css', 'c.js'], []])
    assert.notEqual(await named('a.css', 'b.js'), await named(...names))
  write('src/components/sections/hours.ts', 'fields')
  assert.equal(await of(HEADER), before, 'a page has its fields')
  write('public/robots.txt', '')
  assert.notEqual(await of(HEADER), before)
  rmSync(join(site, 'public/robots.txt'))
  write('scripts/menu.js', 'new')
  assert.notEqual(await of(HEADER), before)
})

test('the pages of the program alone have one fingerprint', async () => {
  const of = (...files: string[]) => templateFingerprint(PROGRAM_DIR, { assetNames: [], files })
  const made = await of()
  assert.match(made, /^[0-9a-f]{16}$/)
  assert.equal(await of('src/config.ts'), made)
  assert.match(await bundleFingerprint(PROGRAM_DIR), /^[0-9a-f]{16}$/)
  assert.notEqual(await bundleFingerprint(PROGRAM_DIR), made)
})
