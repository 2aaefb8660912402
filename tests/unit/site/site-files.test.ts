import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LayoutView } from '#src/site/pages/layout-view.ts'
import {
  latestOf,
  listSitemapParts,
  siteFiles,
  sitemap,
  sitemapFiles,
  sitemapPart,
} from '#src/site/pages/site-files.ts'

const SITE = 'https://example.com'
const aPage = (path: string, modifiedAt = '2026-11-20T10:00:00.000Z') => ({ path, modifiedAt })

for (const [listed, parts] of [
  [0, 1],
  [1, 1],
  [10_000, 1],
  [10_001, 2],
  [20_000, 2],
  [20_001, 4],
  [40_001, 8],
] as const)
  test(`${listed} pages are divided into ${parts} sitemaps`, () => {
    const sitemaps = listSitemapParts(listed)
    assert.equal(sitemaps.length, parts)
    const ends = sitemaps.map(({ to }) => to)
    assert.deepEqual(
      sitemaps.map(({ path, from }) => [path, from]),
      [0, ...ends.slice(0, -1)].map((from, number) => [`/sitemap-${number}.xml`, from]),
    )
    assert.equal(ends.at(-1), 65_536)
  })

test('each page is in one sitemap, and the index has the latest change of each', () => {
  const pages = Array.from({ length: 10_001 }, (_, number) =>
    aPage(`/page-${number}`, number === 7 ? '2026-11-22T10:00:00.000Z' : undefined),
  )
  const files = new Map(sitemapFiles(SITE, pages))
  assert.deepEqual([...files.keys()], ['/sitemap-0.xml', '/sitemap-1.xml', '/sitemap-index.xml'])
  const listed = [0, 1].map(
    (number) => (files.get(`/sitemap-${number}.xml`) ?? '').match(/<url>/g)?.length ?? 0,
  )
  assert.equal(
    listed.reduce((sum, count) => sum + count),
    10_001,
  )
  const newest = sitemapPart('/page-7') < 32_768 ? 0 : 1
  const dates = [
    ...(files.get('/sitemap-index.xml') ?? '').matchAll(/sitemap-(\d)\.xml<\/loc><lastmod>([^<]*)</g),
  ]
  assert.deepEqual(
    dates.map(([, number, day]) => [Number(number), day]),
    [0, 1].map((number) => [number, `2026-11-2${number === newest ? 2 : 0}T10:00:00.000Z`]),
  )
  assert.equal(latestOf([]), '')
})

test('a sitemap escapes addresses, and leaves out unknown times', () => {
  const text = sitemap(SITE, [aPage('/a?b&c=<\'">', ''), aPage('/d')])
  assert.match(text, /<url><loc>https:\/\/example\.com\/a\?b&#38;c=%3C&#39;%22%3E<\/loc><\/url>/)
  assert.ok(sitemap(SITE, [aPage('/precios año')]).includes('<loc>https://example.com/precios%20a%C3%B1o<'))
  assert.match(
    text,
    /<url><loc>https:\/\/example\.com\/d<\/loc><lastmod>2026-11-20T10:00:00\.000Z<\/lastmod>/,
  )
})

test('contract §4 robots.txt names the sitemap, and llms.txt the services and pages', () => {
  const layout = {
    ...{ siteName: 'Acme', siteUrl: SITE, tagline: 'We cool Texas' },
    services: [
      { name: 'Repair', path: '/services/repair' },
      { name: 'Install', path: '/services/install' },
    ],
    navigation: [{ label: 'About', path: '/about' }],
  } as unknown as LayoutView
  const files = siteFiles(layout)
  assert.equal(
    files.get('/robots.txt'),
    'User-agent: *\nDisallow: /admin\nDisallow: /api/\n\nSitemap: https://example.com/sitemap-index.xml\n',
  )
  const lists =
    '## Services\n\n- [Repair](https://example.com/services/repair)\n- [Install](https://example.com/services/install)' +
    '\n\n## Pages\n\n- [About](https://example.com/about)\n'
  assert.equal(files.get('/llms.txt'), `# Acme\n\n> We cool Texas\n\n${lists}`)
  assert.equal(siteFiles({ ...layout, tagline: null }).get('/llms.txt'), `# Acme\n\n${lists}`)
})
