import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAdministrator, insertAdministrator } from '#src/auth/administrator-store.ts'
import { startSession } from '#src/auth/sessions.ts'
import { confirmTotp, replaceRecoveryCodes } from '#src/auth/two-factor-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { newestChanges } from '../../support/pages/told.ts'
import { quickHash } from '../../support/quick-hash.ts'

/** Another administrator who is signed in with a second factor; `isSignedIn` asks as their browser. */
async function addColleague(site: AdminSite, email = 'bob@example.com') {
  const { db } = site.app
  const now = new Date()
  const passwordHash = quickHash('tangerine ladder fog')
  const id = await insertAdministrator(db, { email, name: 'Bob', passwordHash, now })
  assert.ok(id)
  await confirmTotp(db, id, { now })
  await replaceRecoveryCodes(db, id, ['a hash'])
  return { id, path: `/admin/users/${id}`, isSignedIn: await openSession(site, id) }
}

async function openSession(site: AdminSite, userId: number) {
  const visitor = { address: '192.0.2.7', userAgent: 'Firefox' }
  const token = await startSession(site.app.db, userId, visitor, { now: new Date() })
  return async () => {
    const headers = { cookie: `signpost_session=${token}` }
    return (await site.fetch('/admin/audit', { headers })).status === 200
  }
}

test('another administrator resets a lost second factor after confirming their password', async (t) => {
  const site = await startAdmin(t)
  const bob = await addColleague(site)
  const listed = (await site.open('/admin/users')).getByRole('link', { name: 'bob@example.com' })
  assert.equal(listed.getAttribute('href'), bob.path)
  const reset = { name: 'Reset two-step sign-in' }
  const page = await site.open(bob.path)
  const leads = page.getByRole('link', reset)
  assert.equal(leads.getAttribute('href'), `${bob.path}/two-factors/removal`)
  const removal = page.getByRole('link', { name: 'Remove…' })
  assert.equal(removal.getAttribute('href'), `${bob.path}/removal`)
  ;(await site.open(`${bob.path}/two-factors/removal`)).getByText(/^Make sure that bob@example\.com/)
  assert.equal(await bob.isSignedIn(), true, 'looking changes nothing')

  const done = await site.post(`${bob.path}/two-factors/removal`)
  assert.equal(done.headers.get('location'), bob.path)
  assert.equal(await bob.isSignedIn(), false)
  const codes = await site.app.db.selectFrom('admin_recovery_codes').selectAll().execute()
  assert.deepEqual(codes, [])
  assert.deepEqual(await newestChanges(site), ['Reset two-step sign-in for bob@example.com'])
  assert.equal((await site.fetch(`${bob.path}/two-factors/removal`)).status, 404, 'there is none to reset')
  assert.equal((await site.open(bob.path)).queryAllByRole('link', reset).length, 0)

  const own = `/admin/users/${site.administratorId}`
  await confirmTotp(site.app.db, site.administratorId, { now: new Date() })
  assert.equal((await site.post(`${own}/two-factors/removal`)).status, 404, 'their own has a page of its own')
  assert.equal((await site.fetch(own)).headers.get('location'), '/admin/account')
  assert.equal((await site.fetch('/admin/users/999')).status, 404)
})

test('a user is emailed about a second-factor reset, which holds even if the email fails', async (t) => {
  const mail = await startMailServer(t, { refusals: [{ code: 550 }] })
  const environment = { SMTP_URL: mail.url, MAIL_FROM: 'site@example.com' }
  const site = await startAdmin(t, { environment })
  for (const email of ['bob@example.com', 'cleo@example.com']) {
    const colleague = await addColleague(site, email)
    assert.equal((await site.post(`${colleague.path}/two-factors/removal`)).status, 303)
    assert.equal((await findAdministrator(site.app.db, colleague.id))?.hasTwoFactors, false)
  }
  assert.deepEqual(
    mail.received.map(({ recipients }) => recipients),
    [['cleo@example.com']],
  )
  assert.match(mail.received[0]?.raw ?? '', /^Subject: Two-step sign-in was reset/m)
  assert.match(mail.received[0]?.raw ?? '', /ann@example\.com reset two-step sign-in for your account/)
})

test('an administrator ends sessions of one user, all users, and themselves', async (t) => {
  const site = await startAdmin(t)
  const bob = await addColleague(site)
  const cleo = await addColleague(site, 'cleo@example.com')
  ;(await site.open(bob.path)).getByText('1 open session')
  await site.read(`${bob.path}/sessions/removal`)
  assert.equal((await site.post(`${bob.path}/sessions/removal`)).headers.get('location'), bob.path)
  assert.deepEqual([await bob.isSignedIn(), await cleo.isSignedIn()], [false, true])

  const other = await openSession(site, site.administratorId)
  await site.read('/admin/users/sessions/removal')
  assert.equal((await site.post('/admin/users/sessions/removal')).headers.get('location'), '/admin/users')
  assert.deepEqual([await cleo.isSignedIn(), await other()], [false, false])

  const another = await openSession(site, site.administratorId)
  await site.read('/admin/account/sessions/removal')
  await site.post('/admin/account/sessions/removal')
  assert.equal(await another(), false)
  assert.deepEqual(await newestChanges(site, 3), [
    'Signed out all other browsers',
    'Signed everyone out',
    'Signed bob@example.com out everywhere',
  ])
})

test('ending sessions and changing second factors need the password', async (t) => {
  const site = await startAdmin(t)
  const bob = await addColleague(site)
  const session = await site.app.db
    .selectFrom('admin_sessions')
    .select('id')
    .where('user_id', '=', site.administratorId)
    .executeTakeFirstOrThrow()
  const old = new Date(Date.now() - 16 * 60_000).toISOString()
  await site.app.db.updateTable('admin_sessions').set({ password_checked_at: old }).execute()
  for (const path of [
    `${bob.path}/two-factors/removal`,
    `${bob.path}/sessions/removal`,
    '/admin/users/sessions/removal',
    '/admin/account/sessions/removal',
    `/admin/account/sessions/${session.id}/end`,
    '/admin/account/two-factors/removal',
  ]) {
    const question = `/admin/password-check?next=${encodeURIComponent(path)}`
    assert.equal((await site.post(path)).headers.get('location'), question)
    assert.equal((await site.fetch(path)).headers.get('location'), question)
  }
  assert.equal(await bob.isSignedIn(), true)
  assert.equal((await site.fetch('/admin')).status, 200)
})

test('changing one’s second factor ends one’s other sessions', async (t) => {
  const site = await startAdmin(t)
  await confirmTotp(site.app.db, site.administratorId, { now: new Date() })
  for (const path of ['/admin/account/recovery-codes', '/admin/account/two-factors/removal']) {
    const isSignedIn = await openSession(site, site.administratorId)
    assert.ok((await site.post(path)).status < 400)
    assert.equal(await isSignedIn(), false, path)
    assert.equal((await site.fetch('/admin')).status, 200)
  }
})
