import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { ADMINISTRATOR, startAdmin } from '../../support/admin.ts'
import { startFront } from '../../support/front.ts'
import { readAnswer, readPage } from '../../support/pages/read-page.ts'
import { newestChanges } from '../../support/pages/told.ts'

test('an administrator invites, disables, enables, and removes a user, and each change is logged', async (t) => {
  const site = await startAdmin(t)
  const { app } = site
  const bob = { email: 'bob@example.com', name: '<b>Bob</b>', role: 'editor' }
  const mistaken = await site.post('/admin/users/new', { ...bob, email: 'nope' })
  const mistake = async (response: Response) => (await readAnswer(response, 422)).mistakeOf('Email address')
  assert.equal(await mistake(mistaken), 'Enter an email address such as ann@example.com.')
  const taken = await site.post('/admin/users/new', { ...bob, email: ADMINISTRATOR.email })
  assert.equal(await mistake(taken), 'This address already has an account.')

  const added = await site.post('/admin/users/new', bob)
  assert.equal(added.status, 200)
  const html = await site.read('/admin/users')
  const row = readPage(html).part('row', { name: /^bob@example\.com / })
  row.getByText('<b>Bob</b>')
  assert.ok(html.includes('&lt;b&gt;Bob&lt;/b&gt;') && !html.includes('<b>Bob'))
  const { id } = await app.db
    .selectFrom('admin_users')
    .select('id')
    .where('email', '=', bob.email)
    .executeTakeFirstOrThrow()

  for (const step of ['suspension', 'suspension', 'removal']) {
    await site.read(`/admin/users/${id}/${step}`)
    assert.equal((await site.post(`/admin/users/${id}/${step}`)).status, 303)
  }
  assert.equal((await site.open('/admin/users')).queryAllByText(/bob@/).length, 0)
  assert.deepEqual(await newestChanges(site, 4), [
    'Removed the user bob@example.com',
    'Enabled the user bob@example.com',
    'Disabled the user bob@example.com',
    'Invited bob@example.com as Editor',
  ])
  assert.equal((await site.fetch(`/admin/users/${id}/removal`)).status, 404)
  assert.equal(
    (await site.fetch(`/admin/users/${site.administratorId}/removal`)).status,
    404,
    'nobody removes themselves',
  )
})

test('managing users and codes needs a password entered within 15 minutes', async (t) => {
  const site = await startAdmin(t)
  const old = new Date(Date.now() - 16 * 60_000).toISOString()
  await site.app.db.updateTable('admin_sessions').set({ password_checked_at: old }).execute()
  for (const path of [
    '/admin/users/new',
    '/admin/users/1/removal',
    '/admin/account/two-factors',
    '/admin/account/recovery-codes',
  ]) {
    const response = await site.fetch(path)
    assert.equal(response.headers.get('location'), `/admin/password-check?next=${encodeURIComponent(path)}`)
    assert.equal((await site.post(path)).status, 303)
  }
  const next = '/admin/password-check?next=%2Fadmin%2Fusers%2Fnew'
  assert.equal((await site.post(next, { password: 'wrong' })).status, 422)
  const right = await site.post(next, { password: ADMINISTRATOR.password })
  assert.equal(right.headers.get('location'), '/admin/users/new')
  assert.equal((await site.fetch('/admin/users/new')).status, 200)
})

test('ASVS 7.2.4 confirming or changing the password renews the session token and invalidates the former one', async (t) => {
  const site = await startAdmin(t)
  const { password } = ADMINISTRATOR
  const posts = [
    ['/admin/password-check', { password }, 303],
    ['/admin/account/password', { current: password, password: 'too short' }, 422],
    ['/admin/account/password', { current: password, password: 'seven purple otters juggle' }, 303],
  ] as const
  for (const [path, fields, status] of posts) {
    const former = site.cookie
    assert.equal((await site.post(path, fields)).status, status, path)
    assert.notEqual(site.cookie, former, path)
    assert.equal((await site.fetch('/admin/account')).status, 200, path)
    const asked = await fetch(`${site.url}/admin/account`, {
      redirect: 'manual',
      headers: { cookie: former, accept: 'text/html' },
    })
    assert.equal(asked.status, 303, path)
  }
  const sessions = await site.app.db.selectFrom('admin_sessions').select('id').execute()
  assert.equal(sessions.length, 1)
})

test('the account page lists and ends sessions, and no page contains a secret', async (t) => {
  const site = await startAdmin(t)
  const html = await site.read('/admin/account')
  const own = readPage(html).part('row', { name: /\(this browser\)/ })
  const path = String(own.getByRole('link', { name: /^Sign out / }).getAttribute('href'))
  const codes = await site.read('/admin/account/two-factors')
  const picture = readPage(codes).getByRole<HTMLImageElement>('img', { name: 'QR code for the setup key' })
  assert.ok(picture.src.startsWith('data:image/svg+xml;base64,'))
  const { token_sha256 } = await site.app.db
    .selectFrom('admin_sessions')
    .select('token_sha256')
    .executeTakeFirstOrThrow()
  for (const secret of [token_sha256, site.cookie.split('=')[1] ?? '', 'argon2id'])
    assert.ok(!(html + codes).includes(secret))
  ;(await site.open(path)).getByText(/You’ll be signed out of this browser/)
  const ended = await site.post(path)
  assert.equal(ended.headers.get('location'), '/admin/login')
  assert.equal(ended.headers.get('clear-site-data'), '"cache", "cookies", "storage"')
  assert.equal((await site.fetch('/admin/account')).status, 303)
})

test('behind https the session cookie is secure with the __Host- prefix, and the plain name is ignored', async (t) => {
  const { app, port } = await startFront(t, { environment: { SITE_URL: 'https://www.example.com' } })
  const code = await app.setup.findCode()
  const body = new URLSearchParams({
    email: 'ann@example.com',
    name: '',
    password: ADMINISTRATOR.password,
  }).toString()
  const ask = async (method: string, path: string, headers: Record<string, string>, text = '') => {
    const all = { host: 'www.example.com', 'content-type': 'application/x-www-form-urlencoded', ...headers }
    const outgoing = request({ port, host: '127.0.0.1', method, path, headers: all }).end(text)
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    response.resume()
    return response
  }
  const made = await ask('POST', `/admin/setup?code=${code}`, { origin: 'https://www.example.com' }, body)
  assert.equal(made.statusCode, 303)
  const cookie = made.headers['set-cookie']?.find((text) => text.includes('session')) ?? ''
  assert.match(cookie, /^__Host-signpost_session=[\w-]+; .*Path=\/;.*Secure/)
  assert.doesNotMatch(cookie, /Domain/i)
  const value = cookie.split(';')[0] ?? ''
  assert.equal((await ask('GET', '/admin/users', { cookie: value })).statusCode, 200)
  assert.equal((await ask('GET', '/admin/users', { cookie: value.replace('__Host-', '') })).statusCode, 303)

  const own = { origin: 'https://www.example.com', cookie: value }
  const themed = await ask('POST', '/admin/theme', own, 'theme=dark&next=%2Fadmin')
  const signIn = new URLSearchParams({
    email: 'ann@example.com',
    password: ADMINISTRATOR.password,
  }).toString()
  const entered = await ask('POST', '/admin/login', { origin: own.origin }, signIn)
  const saved = await ask('POST', '/admin/taxonomies/new', own, `name=${'Colors%20'.repeat(8)}&slug=colors`)
  const set = [made, themed, entered, saved].flatMap((response) => response.headers['set-cookie'] ?? [])
  const names = ['browser', 'flash', 'session', 'theme'].map((name) => `__Host-signpost_${name}`)
  assert.deepEqual([...new Set(set.map((text) => text.split('=')[0]))].sort(), names)
  for (const text of set) assert.match(text, /; HttpOnly; Secure; SameSite=Lax$/)
})
