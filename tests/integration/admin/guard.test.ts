import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { ROUTES } from '#src/admin/access/routes.ts'
import { ensureBundle, loadAdmin } from '#src/publish/render/bundle.ts'
import { ADMINISTRATOR, startAdmin } from '../../support/admin.ts'
import { adminRoutes } from '../../support/admin-routes.ts'
import { readAnswer } from '../../support/pages/read-page.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'
import { printFigure } from '../../support/soak.ts'

const OPEN = [
  '/admin/invitation/[token]',
  ...['/admin/login', '/admin/login/code', '/admin/login/ended'],
  ...['/admin/login/passkey', '/admin/login/passkey/options', '/admin/login/reset'],
  ...['/admin/password-reset/[token]', '/admin/setup'],
]

const SPELLINGS = [
  '/admin',
  '/admin/',
  '/admin?x=1',
  '/admin//',
  '/admin/.',
  '/admin/./users',
  '/admin/../admin/users',
  '/admin/login/../users',
  '/admin/login/%2e%2e/users',
  '/admin/login/..%2fusers',
  '/admin/login%2f..%2fusers',
  '/admin/%75sers',
  '/admin/users/',
  '/admin/users//',
  '/admin//users',
  '/admin/users.html',
  '/admin/users%00',
  '/admin/users;x',
  '/admin\\users',
  '/admin/login/users',
  '/%61dmin/users',
  '//admin/users',
  '/./admin/users',
  '/x/../admin/users',
  '/ADMIN/users',
  '/Admin',
]

// As it is written: fetch would tidy the path up.
function ask(
  port: number,
  { method = 'GET', path, headers = '' }: { method?: string; path: string; headers?: string },
) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('error', reject).on('data', (chunk) => (text += chunk))
    socket.on('close', () => resolve({ status: Number(text.split(' ')[1]), text }))
    const body = method === 'POST' ? 'Content-Length: 0\r\n' : ''
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n${body}${headers}\r\n`,
    )
  })
}

test('routes outside the admin answer no direct request', async (t) => {
  const { app } = await startAdmin(t)
  const answer = await loadAdmin(await ensureBundle(PROJECT_DIR))
  const pages = ['/', '/services', '/services/ac-repair/austin', '/forms/waitlist', '/about', '/404', '/500']
  for (const path of [...pages, '/api/forms/waitlist/answer']) {
    const response = await answer(new Request(`${app.config.siteUrl}${path}`), { app })
    assert.deepEqual([path, response.status, await response.text()], [path, 404, 'Not found.\n'])
  }
  const post = new Request(`${app.config.siteUrl}/api/forms/waitlist/submissions`, { method: 'POST' })
  assert.equal((await answer(post, { app })).status, 404)
})

test('no admin route answers without a session, in any spelling', async (t) => {
  const { port } = await startAdmin(t)
  assert.ok(adminRoutes.length >= 8)
  for (const route of adminRoutes) {
    const path = toPath(route)
    if (OPEN.includes(route)) continue
    assert.equal((await ask(port, { path })).status, 303, path)
    assert.equal((await ask(port, { path, headers: 'Accept: application/json\r\n' })).status, 401, path)
    assert.equal((await ask(port, { method: 'POST', path })).status, 401, path)
  }
  for (const path of SPELLINGS) {
    const { status, text } = await ask(port, { path })
    assert.ok([301, 303, 400, 401, 404].includes(status), `${path} answered ${status}`)
    assert.ok(!text.includes('ann@example.com'), path)
  }
  printFigure(t, `0 of ${adminRoutes.length - OPEN.length} routes and ${SPELLINGS.length} spellings answered`)
})

const paths = Object.entries(ROUTES).map(([route, access]) => ({ ...access, path: toPath(route) }))

function toPath(route: string): string {
  return route.replace(/\[\.{0,3}\w+\]/g, '1')
}

test('every admin route declares its access, and only sign-in routes are open', () => {
  const declared = Object.keys(ROUTES)
  const undeclared = adminRoutes.filter((route) => !declared.includes(route))
  assert.deepEqual(undeclared, [], 'declare these in src/admin/access/routes.ts')
  const gone = declared.filter((route) => !adminRoutes.includes(route))
  assert.deepEqual(gone, [], 'these have no file any more')
  const open = declared.filter((route) => ROUTES[route]?.needs === 'nothing')
  assert.deepEqual(open.sort(), OPEN)
})

test('a route that requires a recent password refuses an older one', async (t) => {
  const site = await startAdmin(t)
  const old = new Date(Date.now() - 16 * 60_000).toISOString()
  await site.app.db.updateTable('admin_sessions').set({ password_checked_at: old }).execute()
  const confirmed = paths.filter(({ needs }) => needs === 'fresh_password')
  assert.ok(confirmed.length >= 14)
  for (const { path, posts } of confirmed) {
    const question = `/admin/password-check?next=${encodeURIComponent(path)}`
    assert.equal((await site.fetch(path)).headers.get('location'), question, path)
    if (posts) assert.equal((await site.post(path)).headers.get('location'), question, path)
  }
})

test('a route accepts posts only if declared and from its own origin', async (t) => {
  const site = await startAdmin(t)
  for (const { path, posts } of paths) {
    const foreign = { method: 'POST', headers: { origin: 'https://evil.example' } }
    assert.equal((await site.fetch(path, foreign)).status, 403, path)
    if (posts) continue
    const refused = await site.post(path)
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD'], path)
  }
})

test('a post-only endpoint answers GET with 404', async (t) => {
  const site = await startAdmin(t)
  for (const path of ['/admin/forms/1/fields/order', '/admin/deliveries/1/cancellation'])
    assert.equal((await site.fetch(path)).status, 404, path)
})

test('a form posted after the session ended changes nothing and is kept on a page that links to sign-in', async (t) => {
  const site = await startAdmin(t)
  const typed = { name: '"><img src=x>', 'lines[]': 'one\ntwo' }
  const post = (path: string, fields: Record<string, string>) =>
    site.fetch(path, {
      method: 'POST',
      headers: { cookie: 'signpost_session=ended' },
      body: new URLSearchParams(fields),
    })
  const kept = await readAnswer(await post('/admin/settings?part=1', typed), 401)
  assert.equal(kept.part('status').words, 'Your session has ended, so nothing was saved.')
  const { form } = kept.getByRole<HTMLButtonElement>('button', { name: '2. Save again' })
  assert.deepEqual([form?.method, form?.getAttribute('action')], ['post', '/admin/settings?part=1'])
  const carried = Array.from(form?.querySelectorAll<HTMLInputElement>('[type=hidden]') ?? [])
  assert.deepEqual(Object.fromEntries(carried.map(({ name, value }) => [name, value])), typed)
  const signIn = kept.getByRole('link', { name: '1. Sign in' })
  assert.deepEqual([signIn.getAttribute('href'), signIn.getAttribute('target')], ['/admin/login', '_blank'])
  const secret = await post('/admin/account/password', { password: 'a ladder in the fog' })
  assert.ok(!(await secret.clone().text()).includes('ladder'))
  const again = (await readAnswer(secret, 401)).getByRole('link', { name: /[Ss]ign in/ })
  assert.equal(again.getAttribute('href'), '/admin/login?next=%2Fadmin%2Faccount%2Fpassword')
  assert.equal((await site.fetch('/admin/login/ended')).headers.get('location'), '/admin/login')
})

test('a form posted long after the last password check is kept on a page that asks for the password', async (t) => {
  const site = await startAdmin(t)
  const old = new Date(Date.now() - 16 * 60_000).toISOString()
  await site.app.db.updateTable('admin_sessions').set({ password_checked_at: old }).execute()
  const typed = { email: 'bob@example.com', name: '"><img src=x>', role: 'office' }
  const headers = { accept: 'text/html' }
  const post = (path: string, fields: Record<string, string>) =>
    site.fetch(path, { method: 'POST', headers, body: new URLSearchParams(fields) })
  const kept = await readAnswer(await post('/admin/users/new', typed), 401)
  kept.getByText('You haven’t confirmed your password recently, so nothing was saved.')
  const { form } = kept.getByRole<HTMLButtonElement>('button', { name: '2. Save again' })
  assert.deepEqual([form?.method, form?.getAttribute('action')], ['post', '/admin/users/new'])
  const carried = Array.from(form?.querySelectorAll<HTMLInputElement>('[type=hidden]') ?? [])
  assert.deepEqual(Object.fromEntries(carried.map(({ name, value }) => [name, value])), typed)
  const confirm = kept.getByRole('link', { name: '1. Confirm password' })
  assert.deepEqual(
    [confirm.getAttribute('href'), confirm.getAttribute('target')],
    ['/admin/password-check', '_blank'],
  )
  await site.post('/admin/password-check', { password: ADMINISTRATOR.password })
  assert.equal((await post('/admin/users/new', typed)).status, 200)
})

test('a forged, ended, or foreign session is refused', async (t) => {
  const { port, cookie } = await startAdmin(t)
  for (const value of ['x', '', 'a'.repeat(43), `${cookie.split('=')[1]}x`]) {
    const { status } = await ask(port, {
      path: '/admin/users',
      headers: `Cookie: signpost_session=${value}\r\n`,
    })
    assert.equal(status, 303)
  }
})

test('posts from other websites are refused, signed in or not', async (t) => {
  const site = await startAdmin(t)
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ]) {
    const response = await site.fetch('/admin/logout', { method: 'POST', headers: headers as HeadersInit })
    assert.equal(response.status, 403)
  }
  assert.equal((await site.fetch('/admin')).status, 200)
})

test('an oversize body is refused before it reaches a page', async (t) => {
  const site = await startAdmin(t)
  const response = await site.post('/admin/users/new', { name: 'x'.repeat(1_100_000) })
  assert.equal(response.status, 413)
})

test('a post with too many fields is refused early, signed in or not', async (t) => {
  const site = await startAdmin(t)
  const part = '--x\r\ncontent-disposition: form-data; name="a[]"\r\n\r\n\r\n'
  for (const [type, field] of [
    ['application/x-www-form-urlencoded', 'a[]=&'],
    ['multipart/form-data; boundary=x', part],
  ] as const) {
    for (const path of ['/admin/login', '/admin/users/new']) {
      const headers = { cookie: 'signpost_session=ended', 'content-type': type }
      const body = `${field.repeat(12_000)}--x--`
      assert.equal((await site.fetch(path, { method: 'POST', headers, body })).status, 413, `${type} ${path}`)
    }
  }
})

test('admin responses aren’t cached and allow no inline script or style', async (t) => {
  const site = await startAdmin(t)
  const { headers } = await site.fetch('/admin/users')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.doesNotMatch(String(headers.get('content-security-policy')), /unsafe/)
  const html = await site.read('/admin/users')
  assert.doesNotMatch(html, /<style|\sstyle=|<script(?![^>]*\ssrc=)/)
  for (const [, asset = ''] of html.matchAll(/(?:href|src)="(\/_[^"]+)"/g)) {
    const response = await fetch(site.url + asset)
    assert.equal(response.status, 200, asset)
    assert.match(String(response.headers.get('cache-control')), /immutable/)
  }
})

test('an ID that isn’t an integer is never queried', async (t) => {
  const site = await startAdmin(t)
  const asked: unknown[] = []
  const executor = site.app.db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  executor.executeQuery = (query, ...more) => {
    asked.push(...query.parameters)
    return execute(query, ...more)
  }
  const known = { form: 'waitlist', type: 'location_services', slug: 'locations' }
  for (const route of adminRoutes.filter((path) => path.includes('['))) {
    const named = Object.entries(known).reduce((path, [key, slug]) => path.replace(`[${key}]`, slug), route)
    const response = await site.fetch(named.replace(/\[[^\]]+\]/g, '1.5'))
    await response.body?.cancel()
    assert.ok(response.status < 500, `${route} answered ${response.status}`)
  }
  const pair = { title: 'A', service_entry_id: '1e308', location_term_id: '1.5' }
  await site.post('/admin/entries/location_services/preview', pair)
  await site.post('/admin/entries/location_services/new', { ...pair, status: 'draft' })
  const webhook = { name: 'A', url: 'https://a.example/', method: 'POST', max_retries: '1', act: 'preview' }
  await site.post('/admin/forms/waitlist/webhooks/new', { ...webhook, submission: '1.5' })
  assert.ok(asked.length > 0)
  assert.deepEqual(
    asked.filter((value) => typeof value === 'number' && !Number.isSafeInteger(value)),
    [],
  )
})
