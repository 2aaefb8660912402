import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { insertAdministrator, updateDisabled } from '#src/auth/administrator-store.ts'
import { makeReset } from '#src/auth/password-links/password-resets.ts'
import { disableAdministrator, enableAdministrator } from '#src/auth/switch-administrator.ts'
import { type AdminSite, startAdmin } from '#tests/support/admin.ts'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { readAnswer } from '#tests/support/pages/read-page.ts'
import { quickHash } from '#tests/support/quick-hash.ts'
import { waitFor } from '#tests/support/running-site.ts'
import { storeAccount } from '#tests/support/stored/accounts.ts'

const EMAIL = 'ann@example.com'
const PASSWORD = 'tangerine ladder fog'
const LINK = /http:\/\/[^\s"]+\/admin\/password-reset\/([\w-]{43})/

async function aSite(t: TestContext): Promise<AdminSite & { mails: MailServer }> {
  const mails = await startMailServer(t)
  const site = await startAdmin(t, { environment: { SMTP_URL: mails.url, MAIL_FROM: 'site@example.com' } })
  return Object.assign(site, { mails })
}

/** Asks as a browser that nobody is signed in to. */
function askAsStranger(site: AdminSite, path: string, fields?: Record<string, string>) {
  const body = fields && new URLSearchParams(fields)
  return site.fetch(path, { headers: { cookie: '' }, ...(body && { method: 'POST', body }) })
}

function textOf(raw: string): string {
  return raw.replace(/=\r\n/g, '').replace(/=3D/g, '=')
}

/** The path of the link in the mail that comes. */
async function askForLink(site: AdminSite & { mails: MailServer }): Promise<string> {
  const before = site.mails.received.length
  ;(await readAnswer(await askAsStranger(site, '/admin/login/reset', { email: EMAIL }))).getByText(
    /on its way/,
  )
  await waitFor(() => site.mails.received.length > before)
  const { recipients = [], raw = '' } = site.mails.received.at(-1) ?? {}
  assert.deepEqual(recipients, [EMAIL])
  const [, token] = LINK.exec(textOf(raw)) ?? []
  return `/admin/password-reset/${token}`
}

test('a reset link sets a password once, ends all sessions, and notifies the user', async (t) => {
  const site = await aSite(t)
  const path = await askForLink(site)
  const stored = JSON.stringify(await site.app.db.selectFrom('admin_password_resets').selectAll().execute())
  assert.ok(!stored.includes(path.split('/').at(-1) ?? ''), 'only its hash is stored')
  const opened = await askAsStranger(site, path)
  assert.equal(opened.headers.get('referrer-policy'), 'strict-origin')
  assert.equal((await readAnswer(opened)).valueOf('Email address'), EMAIL)
  const weak = await readAnswer(await askAsStranger(site, path, { password: 'password1234' }), 422)
  assert.match(String(weak.mistakeOf('Password')), /easy to guess/)

  const done = await askAsStranger(site, path, { password: PASSWORD })
  assert.equal(done.headers.get('location'), '/admin/login?reset=done')
  assert.equal((await site.fetch('/admin')).headers.get('location'), '/admin/login?next=%2Fadmin')
  assert.match(site.mails.received.at(-1)?.raw ?? '', /Subject: Your password was reset/)
  assert.equal((await askAsStranger(site, path)).status, 403, 'it works once')
  const signedIn = await askAsStranger(site, '/admin/login', { email: EMAIL, password: PASSWORD })
  assert.equal(signedIn.status, 303)
  const entries = await site.app.db.selectFrom('audit_log').select(['action', 'user_email']).execute()
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['user.password_reset', 'user.signed_in'],
  )
})

test('two-step sign-in stays in force after a reset', async (t) => {
  const site = await aSite(t)
  const { email } = await storeAccount(site.app, 'bob')
  const token = await makeReset(site.app.db, email, { now: new Date() })
  await askAsStranger(site, `/admin/password-reset/${token}`, { password: PASSWORD })
  const signedIn = await askAsStranger(site, '/admin/login', { email, password: PASSWORD })
  assert.match(signedIn.headers.get('location') ?? '', /^\/admin\/login\/code/)
})

test('known, unknown, disabled, and invited addresses get the same response, and only the known one an email', async (t) => {
  const site = await aSite(t)
  const { db } = site.app
  const account = { name: null, passwordHash: quickHash('x'), now: new Date() }
  const disabled = await insertAdministrator(db, { ...account, email: 'off@example.com' })
  await updateDisabled(db, disabled ?? 0, new Date().toISOString())
  await insertAdministrator(db, { ...account, email: 'new@example.com', passwordHash: null })
  const answers = new Set<string>()
  for (const email of ['nobody@example.com', 'off@example.com', 'new@example.com', EMAIL]) {
    const response = await askAsStranger(site, '/admin/login/reset', { email })
    answers.add(`${response.status} ${await response.text()}`)
  }
  assert.equal(answers.size, 1)
  await waitFor(() => site.mails.received.length > 0)
  await site.app.resetMails?.stop()
  assert.deepEqual(
    site.mails.received.flatMap(({ recipients }) => recipients),
    [EMAIL],
  )
})

test('a new link or password invalidates the former link, and disabled users get none', async (t) => {
  const site = await aSite(t)
  const { db } = site.app
  const make = async () => `/admin/password-reset/${await makeReset(db, EMAIL, { now: new Date() })}`
  const [first, second] = [await make(), await make()]
  assert.equal((await askAsStranger(site, first)).status, 403)
  assert.equal((await askAsStranger(site, second)).status, 200)
  await updateDisabled(db, site.administratorId, new Date().toISOString())
  assert.equal((await askAsStranger(site, second)).status, 403)
  await updateDisabled(db, site.administratorId, null)
  await site.post('/admin/account/password', { current: 'correct horse battery', password: PASSWORD })
  assert.equal((await askAsStranger(site, second)).status, 403)
})

test('re-enabling an account revives no reset link', async (t) => {
  const site = await aSite(t)
  const { db } = site.app
  const { id, email } = await storeAccount(site.app, 'bob')
  const path = `/admin/password-reset/${await makeReset(db, email, { now: new Date() })}`
  assert.equal((await askAsStranger(site, path)).status, 200)
  const who = { actorId: undefined, userId: id }
  assert.equal((await disableAdministrator(db, who, { now: new Date() })).kind, 'saved')
  assert.equal((await enableAdministrator(db, who)).kind, 'saved')
  assert.equal((await askAsStranger(site, path)).status, 403)
})

test('the sixth request for an address within 15 minutes is refused, known or not', async (t) => {
  const site = await aSite(t)
  for (const email of [EMAIL, 'nobody@example.com']) {
    for (let count = 0; count < 5; count += 1)
      assert.equal((await askAsStranger(site, '/admin/login/reset', { email })).status, 200)
    const refused = await askAsStranger(site, '/admin/login/reset', { email })
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
  }
  const signedIn = await askAsStranger(site, '/admin/login', {
    email: EMAIL,
    password: 'correct horse battery',
  })
  assert.equal(signedIn.status, 303, 'sign-in has a count of its own')
})

test('without a mail server the sign-in page says what to do', async (t) => {
  const site = await startAdmin(t)
  const page = await readAnswer(await askAsStranger(site, '/admin/login'))
  page.getByText('Forgot your password? Ask the person who runs the server to reset it.')
  assert.equal(page.queryByText(/SMTP|npm run/), null, 'strangers learn nothing about the server')
  assert.equal((await askAsStranger(site, '/admin/login/reset')).headers.get('location'), '/admin/login')
})
