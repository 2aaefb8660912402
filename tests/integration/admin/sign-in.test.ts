import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAdministrators } from '#src/auth/administrator-store.ts'
import { ADMINISTRATOR, startAdmin } from '../../support/admin.ts'
import { startFront } from '../../support/front.ts'
import { readAnswer } from '../../support/pages/read-page.ts'

test('signing in redirects to the requested page, and signing out ends the session', async (t) => {
  const site = await startAdmin(t)
  const form = { method: 'POST', headers: { cookie: '' } }
  const wrong = await site.fetch('/admin/login', {
    ...form,
    body: new URLSearchParams({ email: ADMINISTRATOR.email, password: 'not the password' }),
  })
  assert.equal(wrong.headers.get('set-cookie'), null)
  ;(await readAnswer(wrong, 422)).getByText(/Incorrect email address or password/)

  const body = new URLSearchParams({ email: ' ANN@example.com', password: ADMINISTRATOR.password })
  const right = await site.fetch('/admin/login?next=%2Fadmin%2Fusers', { ...form, body })
  assert.equal(right.status, 303)
  assert.equal(right.headers.get('location'), '/admin/users')
  const setCookie = String(right.headers.get('set-cookie'))
  assert.match(setCookie, /^signpost_session=[\w-]{43}; .*HttpOnly/)
  assert.match(setCookie, /SameSite=Lax/)

  const cookie = setCookie.split(';')[0] ?? ''
  assert.equal((await site.fetch('/admin/users', { headers: { cookie } })).status, 200)
  const out = await site.fetch('/admin/logout', { method: 'POST', headers: { cookie } })
  assert.equal(out.headers.get('location'), '/admin/login')
  assert.equal(out.headers.get('clear-site-data'), '"cache", "cookies", "storage"')
  assert.equal((await site.fetch('/admin/users', { headers: { cookie } })).status, 303)
  assert.equal((await site.fetch('/admin/users')).status, 200)
})

test('a form that saves nothing only points to its fields', async (t) => {
  const site = await startAdmin(t)
  const signedOut = { headers: { cookie: '' }, method: 'POST' }
  for (const [path, fields, request] of [
    ['/admin/login', { email: ADMINISTRATOR.email }, signedOut],
    ['/admin/password-check', { password: 'not the password' }, { method: 'POST' }],
    ['/admin/privacy', { email: 'ann' }, { method: 'POST' }],
  ] as const) {
    const body = new URLSearchParams(fields)
    const page = await readAnswer(await site.fetch(path, { ...request, body }), 422)
    assert.equal(page.part('alert').words, 'Check the marked fields.', path)
  }
})

test('sign-in never redirects to another website', async (t) => {
  const site = await startAdmin(t)
  for (const next of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/services',
    '/admin/\\x',
    '/admin/\u20ac',
    '/admin/\x01',
    '/admin/..//evil.example',
    '/admin/inbox/%2E%2e/../services',
  ]) {
    const response = await site.fetch(`/admin/login?next=${encodeURIComponent(next)}`)
    assert.equal(response.headers.get('location'), '/admin', next)
  }
})

test('confirming the password never redirects to another website', async (t) => {
  const site = await startAdmin(t)
  for (const dots of ['../../..', '%2e%2E/.%2e/..']) {
    const next = encodeURIComponent(`/admin/inbox/export./${dots}//evil.example`)
    const response = await site.fetch(`/admin/password-check?next=${next}`)
    assert.equal(response.headers.get('refresh'), null, dots)
    assert.doesNotMatch(await response.text(), /evil\.example/)
  }
  const saved = await site.fetch('/admin/password-check?next=/admin/inbox/export.csv%3Fstatus%3Dall')
  assert.equal(saved.headers.get('refresh'), '0; url=/admin/inbox/export.csv?status=all')
})

test('the setup link creates the first account and no second one', async (t) => {
  const { app, url } = await startFront(t)
  const signIn = async () => readAnswer(await fetch(`${url}/admin/login`))
  const isFirst = async () => (await signIn()).queryByText(/There are no accounts yet/) !== null
  assert.equal(await isFirst(), true)
  const code = await app.setup.findCode()
  const post = (given: string, email: string) =>
    fetch(`${url}/admin/setup?code=${given}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html' },
      body: new URLSearchParams({ email, name: '', password: 'a long enough password' }),
    })
  assert.equal((await post('wrong', 'eve@example.com')).status, 403)
  const first = await post(String(code), 'Bob@Example.com')
  assert.equal(first.status, 303)
  const [bob] = await listAdministrators(app.db)
  assert.ok(bob?.lastSignedInAt, 'who made the account is signed in')
  const cookie = String(first.headers.getSetCookie().find((text) => text.startsWith('signpost_session')))
  const page = await fetch(`${url}/admin`, { headers: { cookie: cookie.split(';')[0] ?? '' } })
  ;(await readAnswer(page)).whole.getByRole('link', { name: 'bob@example.com' })

  assert.equal(await app.setup.findCode(), undefined)
  assert.equal(await isFirst(), false)
  assert.equal((await post(String(code), 'eve@example.com')).status, 403)
})
