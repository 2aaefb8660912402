import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { refuseBare, refuseRenderedOnRequest, refuseTaken } from '#src/integration/own-pages.ts'
import { describeEntryTypes } from '#src/site/own-pages/entry-types.ts'
import { isListedPage } from '#src/site/own-pages/own-page.ts'
import { refuseHeaders } from '#src/site/own-pages/refuse-headers.ts'
import { readStaticPaths } from '#src/site/own-pages/static-paths.ts'
import { withInlinePolicy } from '#src/site/tags/inline-policy.ts'
import { temporaryFolder } from '../../support/database.ts'

const program = { origin: 'external', pattern: '/services/[service]', entrypoint: 'signpost' } as const
const own = (pattern: string) => ({
  origin: 'project' as const,
  pattern,
  entrypoint: `src/pages${pattern}.astro`,
})

test('a custom page at a reserved address is refused with its file', () => {
  for (const pattern of [
    '/services/[name]',
    '/admin/extra',
    '/api/feed',
    '/404',
    '/robots.txt',
    '/sitemap-0.xml',
  ])
    assert.throws(() => refuseTaken([program, own(pattern)]), {
      code: 'routeTaken',
      parts: [`src/pages${pattern}.astro`, pattern],
    })
  refuseTaken([program, own('/administration'), own('/services/[service]/prices'), own('/feed.xml')])
})

test('a custom page that is rendered on request is refused with its file', (t) => {
  const root = temporaryFolder(t)
  const entrypoint = 'src/pages/today.astro'
  const written = (text: string) => {
    mkdirSync(join(root, 'src/pages'), { recursive: true })
    writeFileSync(join(root, entrypoint), text)
    return () => refuseRenderedOnRequest([{ origin: 'project', entrypoint }], root)
  }
  const expected = { code: 'renderedOnRequest', parts: [entrypoint] }
  assert.throws(written('---\n  export const prerender = false;\n---\n'), expected)
  written('---\nexport const prerender = true\n---\n')()
  written('<p>export const prerender = false</p>\n')()
  refuseRenderedOnRequest([{ origin: 'external', entrypoint: 'signpost/missing.astro' }], root)
})

test('an endpoint without an extension is refused', () => {
  const refuse = (pathname?: string, type: 'endpoint' | 'page' = 'endpoint') =>
    refuseBare([{ origin: 'project', type, ...(pathname !== undefined && { pathname }) }])
  assert.throws(() => refuse('/rates'), { code: 'endpointBare', parts: ['/rates'] })
  for (const pathname of ['/rates.json', '/.well-known/rates', undefined]) refuse(pathname)
  refuse('/rates', 'page')
  refuseBare([{ origin: 'internal', type: 'endpoint', pathname: '/_image' }])
})

test('a custom page that sets a header or a cookie is refused', () => {
  const refuse = (headers: Record<string, string>, cookies: string[] = []) =>
    refuseHeaders('/prices', new Headers(headers), { headers: () => cookies })
  const html = { 'content-type': 'text/html' }
  const parts = (name: string) => ({ code: 'headerSet', parts: ['/prices', name] })
  assert.throws(() => refuse({ ...html, 'Cache-Control': 'no-store' }), parts('cache-control'))
  assert.throws(() => refuse(html, ['a=b']), parts('set-cookie'))
  refuse({ ...html, 'content-length': '5', 'x-astro-error': '' })
})

test('the paths of a route with placeholders come from its getStaticPaths, or name its file', () => {
  const component = 'src/pages/jobs/[slug].astro'
  const text = (content: string) => ({ content, dynamic: false, spread: false })
  const placeholder = (content: string) => ({
    content,
    dynamic: true,
    spread: content.startsWith('...'),
  })
  const read = (returned: unknown, name = 'slug') =>
    readStaticPaths({ component, segments: [[text('jobs')], [placeholder(name)]] }, returned)
  const pathsOf = (values: unknown[], name = 'slug') =>
    read(
      values.map((slug) => ({ params: { slug } })),
      name,
    ).map(({ path }) => path)
  assert.deepEqual(read([{ params: { slug: 'roof' }, props: { year: 2026 } }]), [
    { path: '/jobs/roof', file: component, props: { year: 2026 } },
  ])
  assert.deepEqual(pathsOf([2026, 'Über uns', 'v1.2', '100%']), [
    ...['/jobs/2026', '/jobs/Über uns', '/jobs/v1.2', '/jobs/100%'],
  ])
  assert.deepEqual(pathsOf(['2026/roof', undefined], '...slug'), ['/jobs/2026/roof', '/jobs'])
  assert.deepEqual(pathsOf([''], '...slug'), ['/jobs'])
  assert.throws(() => pathsOf([5, '5']), { code: 'pathTwice', parts: [component, '/jobs/5'] })
  for (const returned of [undefined, null, {}, 'roof', [undefined], ['roof'], [{ slug: 'roof' }]])
    assert.throws(() => read(returned), { code: 'pathsInvalid', parts: [component] })
  for (const value of ['', 'a/b', '..', '.env', 'a?b', 'a#b', 'a\\b', 'a\0'])
    assert.throws(() => pathsOf([value]), { code: 'paramInvalid', parts: [component, 'slug', value] })
  for (const value of ['../a', 'a/../b', 'a//b', 'a/', '/a'])
    assert.throws(() => pathsOf([value], '...slug'), { code: 'paramInvalid' })
  assert.throws(() => read([{ params: {} }]), { code: 'paramInvalid', parts: [component, 'slug', ''] })
})

test('sitemaps contain pages without noindex', () => {
  assert.ok(isListedPage('/about', '<meta name="robots" content="index">'))
  assert.ok(!isListedPage('/about', '<meta name="robots" content="noindex, follow">'))
  assert.ok(isListedPage('/v1.2/notes', '<p>Notes</p>'))
  for (const path of ['/feed.xml', '/.well-known/webfinger']) assert.ok(!isListedPage(path, '{}'), path)
})

test('a custom page’s inline scripts and styles run by hash, beside its tags’ sources', () => {
  const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
  const page = '<html><head></head><body><script>start()</script><style>p{}</style></body></html>'
  const policy = `script-src ${hash('start()')};style-src ${hash('p{}')}`
  assert.ok(withInlinePolicy(page).includes(`<meta name="tag-policy" content="${policy}"></head>`))

  const tags = '<head><meta name="tag-policy" content="script-src https://a.example"></head>'
  const both = withInlinePolicy(`${tags}<script type="module">start()</script>`)
  assert.ok(both.includes(`content="script-src https://a.example ${hash('start()')}"`), both)

  const still = '<head></head><script src="/a.js"></script><script type="application/ld+json">{}</script>'
  assert.equal(withInlinePolicy(still), still)
})

test('an entry’s type has the keys of its file', () => {
  const fields = [
    { key: 'service_entry_id', label: 'Service', type: 'number', required: true },
    { key: 'local_testimonials', label: 'Reviews', type: 'text' },
  ] as const
  const declared = describeEntryTypes([{ slug: 'location_services', fields: [...fields] }])
  assert.ok(declared.includes('"location_services": { local_testimonials?: string[] | null }'), declared)
})

test('content type fields become TypeScript types, and optional ones may be empty', () => {
  const declared = describeEntryTypes([
    {
      slug: 'projects',
      fields: [
        { key: 'year', label: 'Year', type: 'number', required: true },
        {
          key: 'steps',
          label: 'Steps',
          type: 'list',
          fields: [{ key: 'title', label: 'Title', type: 'text' }],
        },
      ],
    },
  ])
  assert.ok(
    declared.includes('"projects": { year: number; steps?: { title?: string | null }[] | null }'),
    declared,
  )
})
