import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { ROUTES } from '#src/admin/access/routes.ts'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { startSession } from '#src/auth/sessions.ts'
import { isTwoStepRequired, updateTwoStepRequired } from '#src/auth/two-factor-settings-store.ts'
import { confirmTotp } from '#src/auth/two-factor-store.ts'
import { ADMINISTRATOR, type AdminSite, startAdmin } from '../../support/admin.ts'
import { readAnswer, wordsOf } from '../../support/pages/read-page.ts'
import { newestChanges } from '../../support/pages/told.ts'
import { quickHash } from '../../support/quick-hash.ts'

const SET_UP = '/admin/account/two-factors'

async function requireByPage(site: AdminSite, require: 'yes' | 'no') {
  return site.post('/admin/users/two-factors', { require })
}

/** What the list of users says of the rule. */
async function stateOf(site: AdminSite): Promise<string> {
  return wordsOf((await site.open('/admin/users')).getByText(/^Two-step sign-in for everyone/))
}

async function secureOwnAccount({ app, administratorId }: AdminSite) {
  await confirmTotp(app.db, administratorId, { now: new Date() })
}

/** Another user without a second factor who is signed in, and what asks as their browser. */
async function addColleague(site: AdminSite) {
  const { db } = site.app
  const now = new Date()
  const passwordHash = quickHash(ADMINISTRATOR.password)
  const id = await insertAdministrator(db, { email: 'bob@example.com', name: null, passwordHash, now })
  assert.ok(id)
  const token = await startSession(db, id, { address: '192.0.2.7', userAgent: 'Firefox' }, { now })
  const ask = (path: string, fields?: Record<string, string>, headers: Record<string, string> = {}) =>
    site.fetch(path, {
      headers: { cookie: `signpost_session=${token}`, ...headers },
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    })
  return { id, ask }
}

test('only an administrator with two-step sign-in can require it, and the change is logged', async (t) => {
  const site = await startAdmin(t)
  assert.equal(await stateOf(site), 'Two-step sign-in for everyone optional')
  for (const answer of [await site.fetch('/admin/users/two-factors'), await requireByPage(site, 'yes')])
    assert.equal(answer.headers.get('location'), '/admin/account')
  assert.equal(await isTwoStepRequired(site.app.db), false)

  await secureOwnAccount(site)
  ;(await site.open('/admin/users/two-factors')).getByRole('heading', {
    name: 'Require two-step sign-in for everyone?',
  })
  assert.equal(await isTwoStepRequired(site.app.db), false, 'looking changes nothing')
  for (let time = 0; time < 2; time += 1)
    assert.equal((await requireByPage(site, 'yes')).headers.get('location'), '/admin/users')
  assert.equal(await isTwoStepRequired(site.app.db), true)
  assert.equal(await stateOf(site), 'Two-step sign-in for everyone required')
  ;(await site.open('/admin/users/two-factors')).getByRole('heading', {
    name: 'Make two-step sign-in optional?',
  })
  await requireByPage(site, 'no')
  assert.equal(await isTwoStepRequired(site.app.db), false)
  assert.deepEqual(
    await newestChanges(site, 9),
    ['Made two-step sign-in optional', 'Required two-step sign-in for everyone'],
    'each once',
  )
})

test('an existing session only reaches the setup page until two-step sign-in is on', async (t) => {
  const site = await startAdmin(t)
  const bob = await addColleague(site)
  assert.equal((await bob.ask('/admin/inbox')).status, 200)
  await secureOwnAccount(site)
  await requireByPage(site, 'yes')

  const closed = Object.entries(ROUTES).filter(([, { beforeTwoFactors }]) => !beforeTwoFactors)
  assert.equal(Object.keys(ROUTES).length - closed.length, 16)
  for (const [route] of closed) {
    const path = route.replace(/\[\.{0,3}\w+\]/g, '1')
    for (const fields of [undefined, {}])
      assert.equal((await bob.ask(path, fields)).headers.get('location'), SET_UP, path)
  }
  assert.equal(
    (await bob.ask('/admin/publish/progress', undefined, { 'sec-fetch-dest': 'empty' })).status,
    403,
  )
  assert.equal((await site.fetch('/admin/inbox')).status, 200, 'who has two-step sign-in goes on')

  const page = await readAnswer(await bob.ask(SET_UP))
  page.getByText(/Set it up to continue/)
  const key = page.part('status', { name: 'Setup key' }).words.replaceAll(' ', '')
  const code = new TOTP({ secret: Secret.fromBase32(key) }).generate()
  ;(await readAnswer(await bob.ask(SET_UP, { code }))).getByText(/These codes are shown only once/)
  assert.equal((await bob.ask('/admin/inbox')).status, 200)
})

test('a sign-in without a second factor redirects to the setup page, also after a reset', async (t) => {
  const site = await startAdmin(t)
  const bob = await addColleague(site)
  await secureOwnAccount(site)
  await requireByPage(site, 'yes')
  const body = new URLSearchParams({ email: 'bob@example.com', password: ADMINISTRATOR.password })
  const signIn = async () => {
    const answer = await site.fetch('/admin/login', { method: 'POST', headers: { cookie: '' }, body })
    const cookie = answer.headers.getSetCookie().find((text) => text.startsWith('signpost_session'))
    const headers = { cookie: cookie?.split(';')[0] ?? '' }
    return (await site.fetch('/admin', { headers })).headers.get('location')
  }
  assert.equal(await signIn(), SET_UP)
  await confirmTotp(site.app.db, bob.id, { now: new Date() })
  await site.post(`/admin/users/${bob.id}/two-factors/removal`)
  assert.equal(await signIn(), SET_UP)
})

test('users can’t turn off their two-step sign-in while it is required', async (t) => {
  const site = await startAdmin(t)
  await secureOwnAccount(site)
  await updateTwoStepRequired(site.app.db, true)
  const account = await site.open('/admin/account')
  account.getByText('Required for everyone')
  assert.equal(account.queryAllByRole('link', { name: 'Turn off' }).length, 0)
  for (const answer of [await site.fetch(`${SET_UP}/removal`), await site.post(`${SET_UP}/removal`)])
    assert.equal(answer.headers.get('location'), '/admin/account')
  assert.equal((await site.fetch('/admin/inbox')).status, 200)
  await updateTwoStepRequired(site.app.db, false)
  const switchOff = (await site.open('/admin/account')).getByRole('link', { name: 'Turn off' })
  assert.equal(switchOff.getAttribute('href'), `${SET_UP}/removal`)
})
