import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { checkGraph } from '#src/components/structured-data/check-graph.ts'
import { pageGraph } from '#src/components/structured-data/page-graph.ts'
import { syncContent } from '#src/content-files/syncing/sync-content.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { listPages } from '#src/site/pages/list-pages.ts'
import type { Page } from '#src/site/pages/page.ts'
import { sitemapFiles } from '#src/site/pages/site-files.ts'
import { sqliteEngine } from '../../support/database.ts'
import { EXAMPLE_CONTENT } from '../../support/running-site.ts'

// The example site: every page type, several hundred pages.
const pages: Page[] = []

const engine = sqliteEngine()
const dataDir = mkdtempSync(join(tmpdir(), 'signpost-pictures-'))
after(async () => {
  rmSync(dataDir, { recursive: true })
  await engine.close()
})

before(async () => {
  const db = await engine.openMigrated()
  const result = await syncContent(db, {
    contentDir: EXAMPLE_CONTENT,
    pictureFiles: openPictureFiles(dataDir),
    environment: {},
    secretBox: createSecretBox(new Uint8Array(32)),
    now: new Date('2026-11-20T10:00:00.000Z'),
  })
  assert.equal(result.kind, 'synced', JSON.stringify(result))
  for await (const page of listPages(db, { siteUrl: 'https://example.com' })) pages.push(page)
})

const listed = () => pages.filter(({ view }) => !view.head.isHidden)

function assertUnique(texts: readonly string[]) {
  const seen = new Set<string>()
  for (const text of texts) {
    assert.ok(!seen.has(text), `twice: ${text}`)
    seen.add(text)
  }
}

test('every page title is unique and fits into a search result', () => {
  assert.ok(pages.length > 300)
  assertUnique(listed().map(({ view }) => view.head.title))
  for (const { path, view } of listed()) {
    const { length } = view.head.title
    assert.ok(length >= 8 && length <= 75, `${path}: ${view.head.title}`)
  }
})

test('every page description is unique and fits into a search result', () => {
  assertUnique(listed().map(({ view }) => view.head.description))
  for (const { path, view } of listed()) {
    const { length } = view.head.description
    assert.ok(length >= 50 && length <= 162, `${path} ${length}: ${view.head.description}`)
  }
})

test('the structured data of every page is well formed and names its visible breadcrumb', () => {
  const types = new Set<string>()
  for (const { path, partial, view } of pages) {
    types.add(partial)
    assert.doesNotThrow(() => checkGraph(pageGraph(view), view), path)
  }
  assert.ok(types.size >= 8, [...types].join(' '))
})

test('sitemaps contain 50,000 addresses at most, and the index has each one’s last change', () => {
  const listed = Array.from({ length: 10_001 }, (_, number) => ({
    path: `/page-${number}`,
    modifiedAt: number === 7 ? '2026-11-20T12:00:00Z' : '2026-11-20T10:00:00Z',
  }))
  const files = new Map(sitemapFiles('https://example.com', listed))
  assert.deepEqual([...files.keys()], ['/sitemap-0.xml', '/sitemap-1.xml', '/sitemap-index.xml'])
  const addresses = (path: string) => [...(files.get(path) ?? '').matchAll(/<loc>([^<]+)<\/loc>/g)].length
  const [first = 0, second = 0, maps] = [...files.keys()].map(addresses)
  assert.deepEqual([first + second, maps], [10_001, 2])
  assert.ok(Math.min(first, second) > 4_000, `${first} and ${second}`)
  const seventh = files.get('/sitemap-0.xml')?.includes('/page-7<') ? 0 : 1
  for (const [number, hour] of [
    [seventh, '12'],
    [1 - seventh, '10'],
  ])
    assert.ok(
      files
        .get('/sitemap-index.xml')
        ?.includes(`sitemap-${number}.xml</loc><lastmod>2026-11-20T${hour}:00:00Z`),
    )
})

test('adding or removing a page leaves other sitemaps unchanged', () => {
  const listed = Array.from({ length: 25_000 }, (_, number) => ({
    path: `/page-${number}`,
    modifiedAt: 'then',
  }))
  const before = new Map(sitemapFiles('https://example.com', listed))
  const after = new Map(sitemapFiles('https://example.com', listed.slice(1)))
  assert.equal(before.size, 5)
  assert.deepEqual([...before.keys()], [...after.keys()])
  assert.equal([...before].filter(([path, text]) => after.get(path) !== text).length, 1)
})
