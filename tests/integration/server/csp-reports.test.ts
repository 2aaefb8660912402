import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  createCspReports,
  createViolationLog,
  isCspReport,
  MOST_VIOLATIONS,
  POSTS_PER_MINUTE,
} from '#src/server/csp-reports/csp-reports.ts'
import { securityHeaders } from '#src/server/http/security-headers.ts'
import { serveEndpoint } from '../../support/endpoint.ts'
import { startFront } from '../../support/front.ts'

const PATH = '/api/csp-reports'
const MESSAGE = 'content security policy violation'
const MOST_BYTES = 8 * 1024

async function startLogged(t: TestContext) {
  const lines: string[] = []
  const { url } = await startFront(t, { onLogLine: (line) => lines.push(line) })
  const report = (body: string, headers: Record<string, string> = {}) =>
    fetch(url + PATH, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
  const logged = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === MESSAGE)
  return { url, lines, report, logged }
}

const former = (blocked: string, directive = 'script-src-elem') =>
  JSON.stringify({
    'csp-report': {
      'document-uri': 'https://site.example/admin/invitation/secret-token?q=ann',
      referrer: 'https://site.example/?q=ann',
      'violated-directive': directive,
      'effective-directive': directive,
      'blocked-uri': blocked,
      'script-sample': 'ann@example.com',
    },
  })

const reports = (...blocked: string[]) =>
  JSON.stringify([
    { type: 'deprecation', url: 'https://site.example/?q=ann', body: { id: 'x' } },
    ...blocked.map((blockedURL) => ({
      type: 'csp-violation',
      url: 'https://site.example/?q=ann',
      user_agent: 'ann',
      body: { documentURL: 'https://site.example/?q=ann', effectiveDirective: 'img-src', blockedURL },
    })),
  ])

test('ASVS 3.4.7: every response names the CSP report endpoint; static copies don’t', async (t) => {
  const { url } = await startFront(t)
  for (const path of [
    '/',
    '/services/ac-repair/austin',
    '/nowhere',
    '/health',
    '/admin/login',
    '/_astro/x.js',
  ]) {
    const { headers } = await fetch(url + path, { redirect: 'manual' })
    const policy = String(headers.get('content-security-policy'))
    assert.match(policy, /; object-src 'none';.*; report-uri \/api\/csp-reports; report-to csp$/, path)
    assert.equal(headers.get('reporting-endpoints'), 'csp="/api/csp-reports"', path)
  }
  assert.doesNotMatch(JSON.stringify(securityHeaders({ siteUrl: url })), /report/)
})

test('a violation is logged once per directive and origin, without visitor data', async (t) => {
  const { lines, report, logged } = await startLogged(t)
  const bodies = [
    former('https://evil.example/a?ann'),
    former('https://evil.example/b?ann'),
    former('inline'),
    former('data'),
    former('data:text/html,ann'),
    former('//ann'),
    reports('https://evil.example:8443/ann', 'https://evil.example:8443/other', 'chrome-extension://ann/x'),
    reports(),
  ]
  for (const body of bodies) assert.equal((await report(body)).status, 204, body)
  assert.deepEqual(
    logged().map(({ directive, blocked }) => `${directive} ${blocked}`),
    [
      'script-src-elem https://evil.example',
      'script-src-elem inline',
      'script-src-elem data',
      'script-src-elem data:',
      'script-src-elem unknown',
      'img-src https://evil.example:8443',
      'img-src chrome-extension:',
    ],
  )
  assert.doesNotMatch(lines.join('\n'), /ann|secret-token/)
})

test('invalid, oversize, and foreign reports are refused and not logged', async (t) => {
  const { url, report, logged } = await startLogged(t)
  const padded = (length: number) => former('inline').padEnd(length)
  const cases: [name: string, answer: Promise<Response>, status: number][] = [
    ['at the limit', report(padded(MOST_BYTES)), 204],
    ['over the limit', report(padded(MOST_BYTES + 1)), 413],
    ['no JSON', report('report'), 400],
    ['no report', report('{}'), 400],
    ['a directive that is none', report(former('inline', 'x\n"forged":1')), 400],
    ['an origin of 300 characters', report(former(`https://${'a.'.repeat(150)}example`)), 400],
    ['more reports than a browser collects', report(reports(...Array(21).fill('inline'))), 400],
    ['another origin', report(former('eval'), { origin: 'https://evil.example' }), 403],
    ['a GET', fetch(url + PATH), 405],
  ]
  for (const [name, answer, status] of cases) assert.equal((await answer).status, status, name)
  assert.deepEqual(
    logged().map(({ blocked }) => blocked),
    ['inline'],
  )
})

test('forged reports fill neither the log nor memory', async (t) => {
  const { report, logged } = await startLogged(t)
  const statuses: number[] = []
  for (let post = 0; post <= POSTS_PER_MINUTE; post += 1) {
    const made = Array.from({ length: 19 }, (_, index) => `https://a${post}-${index}.example/`)
    statuses.push((await report(reports(...made))).status)
  }
  // A minute may begin in between.
  assert.ok(statuses.filter((status) => status === 204).length >= POSTS_PER_MINUTE, String(statuses))
  assert.equal(logged().length, MOST_VIOLATIONS)
  for (let post = 0; post <= POSTS_PER_MINUTE; post += 1) statuses.push((await report(reports())).status)
  assert.ok(statuses.includes(429), String(statuses))
})

test('invalid report requests don’t use up the limit for valid ones', async (t) => {
  const { url, report } = await startLogged(t)
  for (let request = 0; request <= 2 * POSTS_PER_MINUTE; request += 1)
    assert.equal((await fetch(url + PATH)).status, 405)
  assert.equal((await report(former('inline'))).status, 204)
})

test('forged reports hide real ones until the next day at most', () => {
  const logged: unknown[] = []
  let now = new Date('2026-11-22T23:59:59.999Z')
  const note = createViolationLog({ warn: (violation: unknown) => logged.push(violation) }, () => now)
  for (let made = 0; made < MOST_VIOLATIONS; made += 1) note({ directive: 'img-src', blocked: `a${made}` })
  const real = { directive: 'script-src', blocked: 'inline' }
  note(real)
  assert.equal(logged.length, MOST_VIOLATIONS)
  now = new Date('2026-11-23T00:00:00.000Z')
  note(real)
  note(real)
  assert.deepEqual(logged.slice(MOST_VIOLATIONS), [real])
})

test('reports go to one address', () => {
  for (const [url, is] of [
    [PATH, true],
    [`${PATH}?a`, true],
    [`${PATH}/`, false],
    [undefined, false],
  ] as const)
    assert.equal(isCspReport({ url } as Parameters<typeof isCspReport>[0]), is, String(url))
})

test('what is no report is refused and noted, and too many only refused', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000 * 60_000 })
  const noted: string[] = []
  const take = createCspReports({
    log: { warn() {} },
    refusals: { note: (code: string) => noted.push(code) },
  } as unknown as Parameters<typeof createCspReports>[0])
  const url = await serveEndpoint(t, take)
  const ask = async (init: RequestInit) => {
    const answer = await fetch(url, init)
    await answer.arrayBuffer()
    const { headers, status } = answer
    return [
      status,
      headers.get('connection'),
      headers.get('allow'),
      headers.get('retry-after'),
      ...noted.splice(0),
    ]
  }
  const post = (body: string) => ask({ method: 'POST', body })
  assert.deepEqual(await ask({ method: 'GET' }), [405, 'close', 'POST', null, 'request_refused'])
  assert.deepEqual(await post('{'), [400, 'close', null, null, 'request_refused'])
  assert.deepEqual(await post('x'.repeat(MOST_BYTES + 1)), [413, 'close', null, null, 'too_large'])
  for (let count = 2; count < POSTS_PER_MINUTE; count += 1)
    assert.deepEqual(await post(former('inline')), [204, 'keep-alive', null, null])
  for (let time = 0; time < 2; time += 1)
    assert.deepEqual(await post(former('inline')), [429, 'close', null, '60'])
  t.mock.timers.setTime(1_001 * 60_000)
  assert.deepEqual(await post(former('inline')), [204, 'keep-alive', null, null])
})
