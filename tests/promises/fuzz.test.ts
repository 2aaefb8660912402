import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import SqliteDatabase from 'better-sqlite3'
import fc from 'fast-check'
import { assertWithin } from '../support/assert-within.ts'
import { temporaryFolder } from '../support/database.ts'
import type { LongestTurn } from '../support/longest-turn.ts'
import { aPartOfTheExample } from '../support/part-of-example.ts'
import { PROJECT_DIR, type RunningSite, runScript, startSite, waitFor } from '../support/running-site.ts'
import { isSoak, printFigure, soakLength } from '../support/soak.ts'

const REQUESTS = soakLength(1_500, 100_000)
/** Printed with a failure: with the same one in the environment the same requests are sent. */
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const AT_ONCE = 16
const ANSWER_WITHIN_MS = 10_000
const LONGEST_TURN_MS = 50
const UNANSWERED = 'no answer'
/** A client that ends its side in the middle of a request may be hung up on without a word. */
const MOST_UNANSWERED = 0.08
/** Few requests are good enough for a form to name its mistakes. */
const MUST_OCCUR = isSoak ? ['200', '303', '422'] : ['200', '303']
const LOOP_WATCH = join(PROJECT_DIR, 'tests/fixtures/loop-watch.ts')
const PASSWORD = 'correct horse battery'
const EMAIL = 'ann@example.com'

const PUBLIC = [
  ...[
    '/',
    '/services',
    '/services/ac-repair',
    '/services/ac-repair/austin',
    '/forms/quote',
    '/forms/waitlist/thanks',
  ],
  ...[
    '/robots.txt',
    '/sitemap-index.xml',
    '/sitemap-0.xml',
    '/llms.txt',
    '/health',
    '/404',
    '/500',
    '/_astro/a.css',
  ],
  ...['/api/forms/quote', '/api/forms/quote/challenge', '/api/forms/nothing', '/forms/quote/embed.js'],
  ...[
    '/api/forms/waitlist/submissions',
    '/api/forms/quote/submissions',
    '/_admin/a.js',
    '/taxonomy/locations',
  ],
]

// Every page of the admin, with something in the place of its parameters.
const ADMIN = readdirSync(join(PROJECT_DIR, 'src/pages/admin'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(astro|ts)$/.test(file))
  .map((file) => `/admin/${file.replace(/(\/?index)?\.(astro|ts)$/, '')}`.replace(/\/$/, ''))
  // It would end the session that the others need.
  .filter((path) => !/logout|sign-out/.test(path))
  // Folders have no order of their own, and the same seed has to choose the same routes.
  .sort()

const withLength = (text: string) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`

/** Three times out of four the plain one, so that most requests get further than the parser. */
function mostly(plain: (text: string) => string, ...others: ((text: string) => string)[]) {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(plain) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  )
}

const parameter = fc.constantFrom(
  '1',
  '2',
  'quote',
  'locations',
  '0',
  '-1',
  '999999999999',
  '1e9',
  'x%00',
  '%2e%2e',
  'é',
  "'",
)
const path = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...PUBLIC) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...ADMIN), parameter)
      .map(([route, value]) => route.replace(/\[[^\]]+\]/g, value)),
  },
  { weight: 1, arbitrary: fc.webPath() },
)
const mutation = mostly(
  (path) => path,
  (path) => `/.${path}`,
  (path) => `/${path}`,
  (path) => `${path}/../..${path}`,
  (path) => path.replaceAll('/', '%2f'),
  (path) => `${path}%`,
  (path) => `${path}\\..`,
  (path) => `http://evil.example${path}`,
  (path) => path.toUpperCase(),
  () => '*',
  (path) => `${path}?status=%00&cursor=%FF&form=${'a'.repeat(500)}`,
  (path) => `${path}?q=%F0%9F`,
)
const method = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('GET', 'POST') },
  { weight: 1, arbitrary: fc.constantFrom('HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH', 'brew') },
)
const type = fc.constantFrom(
  ...[
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
  ],
  ...['text/plain', 'application/json; charset=utf-16', 'a/b;;;'],
)
const body = fc.oneof(
  fc
    .dictionary(fc.constantFrom('email', 'name', '_id', '__proto__', 'title', 'slug', 'ids[]'), fc.string())
    .map((values) => JSON.stringify(values)),
  fc
    .dictionary(
      fc.constantFrom('email', 'password', 'name', 'title', 'slug', 'ids[]', 'status', 'action'),
      fc.string(),
    )
    .map((values) => String(new URLSearchParams(values))),
  fc.constant(
    '--x\r\nContent-Disposition: form-data; name="photo"; filename="../a"\r\n\r\nGIF8\r\n--x--\r\n',
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
)
const framing = mostly(
  withLength,
  (text) =>
    `Transfer-Encoding: chunked\r\n\r\n${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n\r\n`,
  (text) => `Transfer-Encoding: chunked\r\n\r\nzz\r\n${text}`,
  (text) => `Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n${text}`,
  (text) => `Content-Length: 5\r\nContent-Length: 6\r\n\r\n${text}`,
  (text) => `Content-Length: ${text.length + 50}\r\n\r\n${text}`,
  (text) => `Content-Length: -1\r\n\r\n${text}`,
  (text) => `Expect: 100-continue\r\n${withLength(text)}`,
)
const header = fc.constantFrom(
  ...[
    '',
    '',
    '',
    'Host: evil.example\r\n',
    'Sec-Fetch-Site: cross-site\r\n',
    'Origin: null\r\n',
    'If-None-Match: *\r\n',
  ],
  ...[
    'Range: bytes=0-1\r\n',
    'Accept: application/json\r\n',
    'X-Forwarded-For: ,,\r\n',
    'Upgrade: websocket\r\nConnection: upgrade\r\n',
  ],
)

test('no request causes a 5xx, blocks the loop, or damages the database', async (t) => {
  const dataDir = temporaryFolder(t)
  const site = await startSite(t, {
    dataDir,
    contentDir: aPartOfTheExample(t),
    environment: { NODE_OPTIONS: `--import=${LOOP_WATCH}`, LOG_LEVEL: 'error' },
  })
  const cookie = await signIn(dataDir, site.url)
  await loadCode(site.url, cookie)
  const host = new URL(site.url).host
  const request = fc
    .record({ method, path, mutation, type, body, framing, header, isSignedIn: fc.boolean() })
    .map((one) =>
      [
        `${one.method} ${one.mutation(one.path)} HTTP/1.1\r\nHost: ${host}\r\n`,
        `${one.header}Accept: text/html\r\nContent-Type: ${one.type}\r\n`,
        `${one.isSignedIn ? `Cookie: ${cookie}\r\n` : ''}${one.framing(one.body)}`,
      ].join(''),
    )
  t.diagnostic(`repeat with SEED=${SEED}`)
  const requests = fc.sample(request, { numRuns: REQUESTS, seed: SEED }).values()
  const failures: string[] = []
  const statuses = new Map<string, number>()
  const note = (status: string, text: string) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status.startsWith('5')) failures.push(`${status}\n${text.slice(0, 600)}`)
  }
  async function sendInTurn() {
    for (const text of requests) {
      const answer = await exchange(site.url, text)
      if (answer === '') note(UNANSWERED, text)
      for (const [, status = ''] of answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)) note(status, text)
    }
  }
  await longestTurn(site)
  await Promise.all(Array.from({ length: AT_ONCE }, sendInTurn))
  const { ownMs, clockMs } = await longestTurn(site)

  assert.deepEqual(failures.slice(0, 5), [], `${failures.length} failures\n${site.output()}`)
  assert.equal(site.process.exitCode, null)
  const unanswered = statuses.get(UNANSWERED) ?? 0
  assert.ok(unanswered <= REQUESTS * MOST_UNANSWERED, `${unanswered} of ${REQUESTS} were not answered`)
  const missed = MUST_OCCUR.filter((status) => !statuses.has(status))
  assert.deepEqual(missed, [], 'the requests get as far as the pages and forms')
  assert.equal((await fetch(`${site.url}/health`)).status, 200)
  if (isSoak) assertWithin(ownMs, LONGEST_TURN_MS)
  const file = new SqliteDatabase(join(dataDir, 'signpost.db'), { readonly: true })
  t.after(() => file.close())
  assert.equal(file.pragma('integrity_check', { simple: true }), 'ok')
  const counts = [...statuses].sort().map(([status, count]) => `${status}: ${count}`)
  printFigure(
    t,
    `0 of ${REQUESTS} with 5xx, one turn of the loop ≤ ${ownMs.toFixed(0)} ms, elapsed ${clockMs.toFixed(0)} ms (${counts.join(', ')})`,
  )
})

async function signIn(dataDir: string, url: string): Promise<string> {
  const environment = { ADMIN_PASSWORD: PASSWORD }
  const { code, output } = await runScript('admin-create.ts', {
    dataDir,
    environment,
    arguments: ['--email', EMAIL],
  })
  assert.equal(code, 0, output)
  const body = new URLSearchParams({ email: EMAIL, password: PASSWORD })
  const answer = await fetch(`${url}/admin/login`, {
    method: 'POST',
    body,
    headers: { origin: url },
    redirect: 'manual',
  })
  assert.equal(answer.status, 303)
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}

/** All that the server answers until it closes, which the client asks for by ending its side. */
function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket
    .setEncoding('latin1')
    .on('data', (chunk) => (answer += chunk))
    .on('error', () => {})
  socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy())
  socket.end(Buffer.from(text))
  return new Promise((resolve) => socket.on('close', () => resolve(answer)))
}

/** Since it was last asked. */
async function longestTurn(site: RunningSite): Promise<LongestTurn> {
  const turns = () => [...site.output().matchAll(/^loop (.*)$/gm)]
  const before = turns().length
  site.process.kill('SIGUSR2')
  await waitFor(() => turns().length > before)
  return JSON.parse(turns().at(-1)?.[1] ?? '')
}

// The first look at a page loads and compiles its code, once in the life of a server.
async function loadCode(url: string, cookie: string) {
  for (const path of [...PUBLIC, ...ADMIN.map((route) => route.replace(/\[[^\]]+\]/g, '1'))])
    await (await fetch(url + path, { headers: { cookie }, redirect: 'manual' })).arrayBuffer()
}
