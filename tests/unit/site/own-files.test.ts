import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { refuseReserved } from '#src/integration/own-pages.ts'
import { PROGRAM_DIR } from '#src/lib/program/folders.ts'
import { refuseReplaced } from '#src/server/prerender/complete-static-site.ts'
import { hasOwnPageAt, hasOwnPages, listPublicFiles } from '#src/site/own-pages/own-files.ts'
import { temporaryFolder } from '../../support/database.ts'

function aSite(t: TestContext, ...files: string[]): string {
  const site = temporaryFolder(t)
  addFiles(join(site, 'src/pages'), files)
  return site
}

function addFiles(folder: string, files: readonly string[]) {
  for (const file of files.map((one) => join(folder, one))) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
  }
}

test('a site has pages of its own if a file in src/pages is one', (t) => {
  for (const file of ['prices.astro', 'jobs/index.md', 'feed.xml.ts', 'jobs/[slug].astro', 'a.mdx', 'a.html'])
    assert.equal(hasOwnPages(aSite(t, file)), true, file)
  for (const file of ['_part.astro', 'jobs/_part.ts', 'notes.txt', 'styles.css'])
    assert.equal(hasOwnPages(aSite(t, file)), false, file)
  assert.equal(hasOwnPages(aSite(t)), false)
  // Its pages are the program's.
  assert.equal(hasOwnPages(PROGRAM_DIR), false)
})

test('a file is the page at its path, unless its name or a folder’s starts with _ or a dot', (t) => {
  const site = aSite(
    t,
    'prices.astro',
    'jobs/index.md',
    'feed.xml.ts',
    '_part.astro',
    '.well/a.ts',
    'notes.txt',
  )
  for (const path of ['/prices', '/jobs', '/feed.xml']) assert.equal(hasOwnPageAt(site, path), true, path)
  for (const path of ['/price', '/_part', '/.well/a', '/notes', '/notes.txt', '/feed', '/../pages/prices'])
    assert.equal(hasOwnPageAt(site, path), false, path)
  assert.equal(hasOwnPageAt(PROGRAM_DIR, '/404'), false)
})

test('a file in public with an address of the program is refused', (t) => {
  for (const [file, path] of [
    ['robots.txt', '/robots.txt'],
    ['sitemap-index.xml', '/sitemap-index.xml'],
    ['404.html', '/404'],
    ['admin/x.txt', '/admin/x.txt'],
  ] as const) {
    const site = temporaryFolder(t)
    addFiles(join(site, 'public'), [file, 'files/brochure.pdf'])
    assert.throws(() => refuseReserved(join(site, 'public'), site), {
      code: 'fileReserved',
      parts: [`public/${file}`, path],
    })
  }
})

test('a file in public whose name can’t be part of a URL is refused', (t) => {
  const refuse = (...files: string[]) => {
    const site = temporaryFolder(t)
    addFiles(join(site, 'public'), files)
    refuseReserved(join(site, 'public'), site)
  }
  for (const file of ['index', 'a#b.pdf', 'files/what?.txt', 'a\\b'])
    assert.throws(() => refuse(file), { code: 'fileWithoutAddress', parts: [`public/${file}`] })
  refuse('files/index', 'index.txt', '100% wool.pdf', '_headers', '.nojekyll', '.well-known/x')
})

test('astro build refuses a file in public at the address of a page', (t) => {
  const folder = temporaryFolder(t)
  addFiles(folder, ['brochure.pdf', 'services/ac-repair.html'])
  assert.deepEqual(listPublicFiles(folder), ['brochure.pdf', 'services/ac-repair.html'])
  assert.deepEqual(listPublicFiles(join(folder, 'none')), [])
  refuseReplaced(folder, new Set(['/', '/services']))
  assert.throws(() => refuseReplaced(folder, new Set(['/services/ac-repair'])), {
    code: 'fileTaken',
    parts: ['services/ac-repair.html', '/services/ac-repair'],
  })
})
