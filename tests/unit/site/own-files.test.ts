import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { PROGRAM_DIR } from '#src/lib/program/folders.ts'
import { hasOwnPageAt, hasOwnPages } from '#src/site/own-pages/own-files.ts'
import { temporaryFolder } from '../../support/database.ts'

function aSite(t: TestContext, ...files: string[]): string {
  const site = temporaryFolder(t)
  for (const file of files.map((one) => join(site, 'src/pages', one))) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
  }
  return site
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
