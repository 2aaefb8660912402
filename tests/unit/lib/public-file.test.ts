import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cacheControlOf, contentTypeOf, REVALIDATE } from '#src/lib/files/public-file.ts'

test('a public file’s type follows its extension, or is binary', () => {
  for (const [path, type] of [
    ['a.html', 'text/html; charset=utf-8'],
    ['_astro/a.b.css', 'text/css; charset=utf-8'],
    ['a.js', 'text/javascript; charset=utf-8'],
    ['a.json', 'application/json; charset=utf-8'],
    ['a.svg', 'image/svg+xml; charset=utf-8'],
    ['a.png', 'image/png'],
    ['a.jpg', 'image/jpeg'],
    ['a.webp', 'image/webp'],
    ['a.avif', 'image/avif'],
    ['a.woff2', 'font/woff2'],
    ['sitemap.xml', 'application/xml; charset=utf-8'],
    ['robots.txt', 'text/plain; charset=utf-8'],
    ['a.JPG', 'image/jpeg'],
    ['a.jpeg', 'image/jpeg'],
    ['brochure.pdf', 'application/pdf'],
    ['favicon.ico', 'image/x-icon'],
    ['site.webmanifest', 'application/manifest+json; charset=utf-8'],
    ['tour.mp4', 'video/mp4'],
    ['a.exe', 'application/octet-stream'],
    ['html', 'application/octet-stream'],
  ] as const)
    assert.equal(contentTypeOf(path), type, path)
})

test('only files with a hash in their name are cached', () => {
  for (const path of ['_astro/a.js', '/_astro/a.js', '/_admin/a.css', 'x/_astro/a.js'])
    assert.equal(cacheControlOf(path), 'public, max-age=31536000, immutable', path)
  for (const path of ['/index.html', '/my_astro/a.js', '/_astro', '/_other/a.js'])
    assert.equal(cacheControlOf(path), REVALIDATE, path)
  assert.equal(REVALIDATE, 'public, max-age=0, must-revalidate')
})
