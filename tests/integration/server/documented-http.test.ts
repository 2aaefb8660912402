import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ENDPOINT_GROUPS } from '#scripts/docs/texts/http.ts'
import { ROUTES } from '#src/admin/access/routes.ts'
import { isPublicRoute } from '#src/site/pages/public-routes.ts'
import { startAdmin } from '../../support/admin.ts'
import { storeForm } from '../../support/forms.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'
import { addEntry } from '../../support/small-site.ts'

const SHOP = 'https://shop.example.com'
const ENDPOINTS = ENDPOINT_GROUPS.flatMap(({ endpoints }) => endpoints)

interface Request extends RequestInit {
  /** In place of the documented address. */
  at?: string
  /** How often it is sent; the last answer counts. */
  times?: number
}

const JSON_TYPE = { 'content-type': 'application/json' }
const ID = '3f0c2d7a-1a58-4d3c-9d5e-6f0c0b7a1e11'
const post = (body: object, more: Request = {}): Request => ({
  method: 'POST',
  headers: JSON_TYPE,
  body: JSON.stringify(body),
  ...more,
})
const report = (body: string, more: Request = {}): Request => ({
  method: 'POST',
  headers: { 'content-type': 'application/csp-report' },
  body,
  ...more,
})
const preflight = (origin: string): Request => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': 'POST' },
})
const SUBMISSIONS = '/api/forms/contact/submissions'
const VIOLATION = JSON.stringify({
  'csp-report': {
    'effective-directive': 'img-src',
    'blocked-uri': 'https://x.example',
    'document-uri': 'https://a',
  },
})

/** A request that gets each documented answer. */
const REQUESTS: Record<string, Request> = {
  'GET /api/forms/{form} 200': { at: '/api/forms/contact' },
  'GET /api/forms/{form} 404': { at: '/api/forms/nothing' },
  'GET /api/forms/{form} 405': { at: '/api/forms/contact', method: 'POST' },
  'GET /api/forms/{form} 410': { at: '/api/forms/closed' },
  'GET /api/forms/{form}/challenge 200': { at: '/api/forms/puzzle/challenge' },
  'GET /api/forms/{form}/challenge 404': { at: '/api/forms/contact/challenge' },
  'POST /api/visits 204': post({ event: 'tap', page: '/' }),
  'POST /api/forms/{form}/submissions 200': post({ email: 'ann@example.com', _id: ID }, { times: 2 }),
  'POST /api/forms/{form}/submissions 201': post({ email: 'ann@example.com' }),
  'POST /api/forms/{form}/submissions 303': {
    method: 'POST',
    headers: { accept: 'text/html' },
    body: new URLSearchParams({ email: 'ann@example.com' }),
  },
  'POST /api/forms/{form}/submissions 400': post([]),
  'POST /api/forms/{form}/submissions 403': post(
    {},
    { headers: { ...JSON_TYPE, origin: 'https://evil.example' } },
  ),
  'POST /api/forms/{form}/submissions 404': post({}, { at: '/api/forms/nothing/submissions' }),
  'POST /api/forms/{form}/submissions 405': { method: 'GET' },
  'POST /api/forms/{form}/submissions 410': post({}, { at: '/api/forms/closed/submissions' }),
  'POST /api/forms/{form}/submissions 413': post({ email: 'a'.repeat(65 * 1024) }),
  'POST /api/forms/{form}/submissions 415': {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'a',
  },
  'POST /api/forms/{form}/submissions 422': post({ email: 'nobody' }),
  'OPTIONS /api/forms/{form}/submissions 204': preflight(SHOP),
  'OPTIONS /api/forms/{form}/submissions 405': preflight('https://evil.example'),
  'GET / 200': {},
  'GET /services 200': {},
  'GET /services/{service} 200': { at: '/services/ac-repair' },
  'GET /services/{service}/{location} 200': { at: '/services/ac-repair/austin' },
  'GET /services/in/{place} 404': { at: '/services/in/texas' },
  'GET /services/from/{place} 404': { at: '/services/from/austin' },
  'GET /{path} 200': { at: '/about' },
  'GET /{path} 301': { at: '/about/' },
  'GET /{path} 404': { at: '/nothing' },
  'GET /forms/{form} 200': { at: '/forms/contact' },
  'GET /forms/{form}/thanks 200': { at: '/forms/contact/thanks' },
  'GET /forms/{form}/embed.js 200': { at: '/forms/contact/embed.js' },
  'GET /taxonomy/{taxonomy} 200': { at: '/taxonomy/locations' },
  'GET /taxonomy/{taxonomy} 404': { at: '/taxonomy/service_categories' },
  'GET /taxonomy/{taxonomy}/{term} 200': { at: '/taxonomy/locations/austin' },
  'GET /taxonomy/{taxonomy}/{term} 404': { at: '/taxonomy/service_categories/heating' },
  'GET /sitemap-index.xml 200': {},
  'GET /robots.txt 200': {},
  'GET /llms.txt 200': {},
  'GET /.well-known/security.txt 200': {},
  'GET /health 200': {},
  'POST /api/csp-reports 204': report(VIOLATION),
  'POST /api/csp-reports 400': report('nothing'),
  'POST /api/csp-reports 405': { method: 'GET' },
  'POST /api/csp-reports 413': report(' '.repeat(9 * 1024)),
  'POST /api/csp-reports 429': report(VIOLATION, { times: 200 }),
  'GET /admin/inbox/export.json 200': {},
  'GET /admin/inbox/export.json 303': { headers: { cookie: '' } },
  'GET /admin/inbox/export.json 401': { headers: { cookie: '', accept: 'application/json' } },
  'GET /admin/inbox/export.csv 200': {},
  'GET /admin/inbox/export.csv 303': { headers: { cookie: '' } },
  'GET /admin/inbox/export.csv 401': { headers: { cookie: '', accept: 'text/csv' } },
  'POST /admin/privacy/export 200': {
    method: 'POST',
    body: new URLSearchParams({ email: 'ann@example.com' }),
  },
  'POST /admin/privacy/export 303': { method: 'POST', body: new URLSearchParams() },
  'POST /admin/privacy/export 401': { method: 'POST', headers: { cookie: '', accept: 'application/zip' } },
}

const PREVIEW_ANSWERS = ENDPOINTS.filter(({ path }) => path.startsWith('/api/previews/')).flatMap(
  ({ method, path, answers }) => Object.keys(answers).map((status) => `${method} ${path} ${status}`),
)

/** Answers that need more than one request, and the tests that show them. */
const SHOWN_ELSEWHERE: Record<string, string> = {
  'GET /admin/inbox/export.csv 403': 'tests/integration/roles/routes-of-roles.test.ts',
  'GET /admin/inbox/export.json 403': 'tests/integration/roles/routes-of-roles.test.ts',
  'POST /admin/privacy/export 403': 'tests/integration/roles/routes-of-roles.test.ts',
  'POST /api/forms/{form}/submissions 429': 'tests/integration/server/abuse.test.ts',
  'POST /api/forms/{form}/submissions 503': 'tests/integration/server/health.test.ts',
  'GET /services/in/{place} 200': 'tests/integration/site/many-places.test.ts',
  'GET /services/from/{place} 200': 'tests/integration/site/many-places.test.ts',
  'GET /{path} 410': 'tests/integration/publish/addresses.test.ts',
  ...Object.fromEntries(
    PREVIEW_ANSWERS.map((answer) => [answer, 'tests/integration/admin/publish-previews.test.ts']),
  ),
  'GET /health 503': 'tests/integration/server/health.test.ts',
  'GET /metrics 200': 'tests/integration/server/metrics.test.ts',
  'GET /metrics 404': 'tests/integration/server/metrics.test.ts',
  'GET /metrics 405': 'tests/integration/server/metrics.test.ts',
  'GET /metrics 421': 'tests/integration/server/metrics.test.ts',
}

test('the server answers every request as docs/reference/http.md documents it', async (t) => {
  const site = await startAdmin(t, {
    environment: { FORM_ORIGINS: SHOP, SECURITY_CONTACT: 'security@example.com' },
    async prepare({ db }) {
      const fields = [{ name: 'email', type: 'email' as const, label: 'Email', required: true }]
      await storeForm(db, 'contact', { fields })
      await storeForm(db, 'closed', { fields, status: 'archived' })
      await storeForm(db, 'puzzle', { fields, settings: { anti_spam: { proof_of_work: true } } })
      await addEntry(db, 'pages', { slug: 'about', title: 'About' })
      await db.updateTable('taxonomies').set({ has_archive: 1 }).where('slug', '=', 'locations').execute()
    },
  })
  const wrong: string[] = []
  for (const [key, { at, times = 1, ...init }] of Object.entries(REQUESTS)) {
    const [, path = '', status] = key.split(' ')
    const address = at ?? path.replace('/api/forms/{form}/submissions', SUBMISSIONS)
    let last = 0
    for (let sent = 0; (sent < times && last !== Number(status)) || sent === 0; sent += 1) {
      const isAdmin = path.startsWith('/admin')
      const ask = isAdmin ? site.fetch : (path: string, init: RequestInit) => fetch(site.url + path, init)
      const response = await ask(address, { redirect: 'manual', ...init })
      const body = await response.text()
      checkExample(key, body)
      last = response.status
    }
    if (last !== Number(status)) wrong.push(`${key}: ${last}`)
  }
  assert.deepEqual(wrong, [])
})

/** The first answer of an endpoint with an example has the keys of the example, in its order. */
function checkExample(key: string, body: string) {
  const endpoint = ENDPOINTS.find(({ method, path, answers }) =>
    key.startsWith(`${method} ${path} ${Object.keys(answers).find((status) => status.startsWith('2'))}`),
  )
  if (endpoint?.example === undefined) return
  assert.deepEqual(keysOf(JSON.parse(body)), keysOf(JSON.parse(endpoint.example)), key)
}

function keysOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(keysOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, part === null ? 'null' : keysOf(part)]),
  )
}

test('every documented response has a request or its own test', () => {
  const documented = ENDPOINTS.flatMap(({ method, path, answers }) =>
    Object.keys(answers).map((status) => `${method} ${path} ${status}`),
  )
  assert.deepEqual([...Object.keys(REQUESTS), ...Object.keys(SHOWN_ELSEWHERE)].sort(), documented.sort())
  for (const file of Object.values(SHOWN_ELSEWHERE)) assert.ok(existsSync(join(PROJECT_DIR, file)), file)
})

test('every public route, and every export of the admin, is documented', () => {
  const documented = ENDPOINTS.map(({ path }) => path)
  const routes = globSync('**/*.{astro,ts}', { cwd: join(PROJECT_DIR, 'src/pages'), exclude: ['admin/**'] })
    .map((file) => `/${file.replace(/(\/?index)?\.(astro|ts)$/, '')}`)
    // What others lead to: pages of errors, and of answers to posts.
    .filter((route) => !/^\/(404|410|500|api\/forms\/\[form\]\/answer)$/.test(route))
  assert.ok(routes.length > 10)
  const named = routes.map((route) => route.replace('[...path]', '{path}').replaceAll(/\[(\w+)\]/g, '{$1}'))
  assert.deepEqual(
    named.filter((route) => !documented.includes(route)),
    [],
  )
  for (const route of routes) if (!route.startsWith('/api/')) assert.ok(isPublicRoute(route), route)
  const exports = Object.keys(ROUTES).filter((route) => route.includes('export'))
  assert.deepEqual(
    exports.filter((route) => !documented.includes(route)),
    [],
  )
})
