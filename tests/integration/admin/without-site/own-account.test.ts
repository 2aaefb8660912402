import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  confirmByPasskey,
  confirmPassword,
  describeTooMany,
  endSession,
  leave,
} from '#src/admin/access/entering.ts'
import { findPasskeyObstacle, findPasskeySite } from '#src/admin/access/passkeys/passkey-site.ts'
import { deviceCookie, readVisitor } from '#src/admin/access/session-cookie.ts'
import { tellOwnUser } from '#src/admin/account/tell-own-user.ts'
import { readTheme, setTheme } from '#src/admin/navigation/theme.ts'
import { sendInvitation } from '#src/admin/users/send-invitation.ts'
import { prepareConfirmation } from '#src/auth/passkeys/confirm-passkey.ts'
import { listPasskeys } from '#src/auth/passkeys/passkey-store.ts'
import { prepareRegistration, registerPasskey } from '#src/auth/passkeys/register-passkey.ts'
import { resumeSession } from '#src/auth/sessions.ts'
import { anAdminPage, PASSWORD } from '../../../support/admin-page.ts'
import { createAuthenticator } from '../../../support/authenticator.ts'

interface SentMail {
  recipient: string
  subject: string
  text: string
}

/** A mail server that notes the emails, or fails. */
function aMailServer(failure?: string) {
  const sent: SentMail[] = []
  const accountMail = async (mail: SentMail) => {
    sent.push(mail)
    return failure === undefined ? { kind: 'sent' } : { kind: 'failed', message: failure }
  }
  return { sent, accountMail }
}

test('a confirmed password gives the browser a new token, and the old one ends', async (t) => {
  const { db, open, jar, token } = await anAdminPage(t)
  const context = open('/admin/password-check', { isConfirmed: false })
  assert.equal((await confirmPassword(context, 'wrong'))?.kind, 'wrong')
  assert.deepEqual([context.locals.refused, jar.size], ['password_check_failed', 0])
  assert.ok(await resumeSession(db, token, { now: new Date() }))
  const right = open('/admin/password-check', { isConfirmed: false })
  assert.equal(await confirmPassword(right, PASSWORD), undefined)
  assert.equal(right.locals.refused, undefined)
  assert.equal(await resumeSession(db, token, { now: new Date() }), undefined)
  assert.ok(await resumeSession(db, jar.get('signpost_session') ?? '', { now: new Date() }))
})

test('after too many wrong passwords, even the right one has to wait', async (t) => {
  const { open, jar } = await anAdminPage(t)
  for (let tried = 0; tried < 5; tried++) await confirmPassword(open('/admin/x'), 'wrong')
  const context = open('/admin/x')
  const problem = await confirmPassword(context, PASSWORD)
  assert.equal(problem?.kind, 'too_many')
  assert.match(problem?.message ?? '', /\b15 minutes/)
  assert.deepEqual([context.locals.refused, jar.size], ['sign_in_limited', 0])
})

test('the time to wait is in whole minutes', () => {
  const minutes = [1, 60, 61].map((retryAfterSeconds) => describeTooMany({ retryAfterSeconds }))
  assert.match(minutes[1] ?? '', /\bminute\b/)
  assert.deepEqual([minutes[0], /\b2 minutes\b/.test(minutes[2] ?? '')], [minutes[1], true])
})

test('a passkey confirms like the password', async (t) => {
  const { db, open, jar, token } = await anAdminPage(t)
  const context = open('/admin/x')
  const party = findPasskeySite(context)
  assert.ok(party)
  const { administrator, session } = context.locals
  const device = createAuthenticator(party)
  const registering = { administrator, sessionId: session.id }
  const address = '192.0.2.9'
  const options = await prepareRegistration(db, party, { ...registering, address }, { now: new Date() })
  assert.ok(options)
  const made = { ...registering, name: 'Phone', response: device.register(options) }
  assert.equal(await registerPasskey(db, party, made, { now: new Date() }), 'registered')
  const ask = async () => {
    const asked = await prepareConfirmation(
      db,
      party,
      { administrator, session, address },
      { now: new Date() },
    )
    assert.ok(asked)
    return asked
  }
  await ask()
  assert.equal((await confirmByPasskey(context, '{}'))?.kind, 'wrong')
  // Passkeys work only at the admin's own address.
  const elsewhere = open('http://127.0.0.1/admin/x')
  const answer = device.sign(await ask())
  assert.equal((await confirmByPasskey(elsewhere, answer))?.kind, 'wrong')
  assert.equal(jar.size, 0)
  assert.equal(await confirmByPasskey(open('/admin/x'), answer), undefined)
  assert.equal(await resumeSession(db, token, { now: new Date() }), undefined)
  assert.ok(await resumeSession(db, jar.get('signpost_session') ?? '', { now: new Date() }))
  assert.equal((await listPasskeys(db, administrator.id)).length, 1)
})

test('a page says why no passkey can be added there', async (t) => {
  const obstacleAt = async (adminUrl: string, address = adminUrl) => {
    const { open } = await anAdminPage(t, { config: { adminUrl } })
    const context = open(`${address}/admin/account`)
    assert.equal(findPasskeySite(context) === undefined, findPasskeyObstacle(context) !== undefined)
    return findPasskeyObstacle(context)
  }
  assert.equal(await obstacleAt('https://admin.example.com'), undefined)
  const other = await obstacleAt('https://admin.example.com', 'http://127.0.0.1:4321')
  assert.match(other ?? '', /https:\/\/admin\.example\.com\/admin\/account/)
  assert.match((await obstacleAt('http://admin.example.com')) ?? '', /https/i)
})

test('a session that another replaces has ended', async (t) => {
  const { db, open, token } = await anAdminPage(t)
  const context = open('/admin/setup')
  await endSession({ ...context, locals: { ...context.locals, session: undefined } } as never)
  assert.ok(await resumeSession(db, token, { now: new Date() }))
  await endSession(context)
  assert.equal(await resumeSession(db, token, { now: new Date() }), undefined)
  const response = leave(context)
  assert.deepEqual([response.status, response.headers.get('location')], [303, '/admin/login'])
})

test('a visitor who signs in is known by address, browser, and an earlier sign-in', async (t) => {
  const { open } = await anAdminPage(t)
  const unknown = { address: '192.0.2.9', userAgent: '', device: undefined }
  assert.deepEqual(readVisitor(open('/admin/login')), unknown)
  const context = open('/admin/login', { headers: { 'user-agent': 'Firefox' } })
  deviceCookie.set(context, 'known')
  assert.deepEqual(readVisitor(context), { ...unknown, userAgent: 'Firefox', device: 'known' })
})

test('the theme of a browser follows the system until one is chosen', async (t) => {
  const { open, jar } = await anAdminPage(t)
  const context = open('/admin')
  assert.equal(readTheme(context), 'auto')
  setTheme(context, 'dark')
  assert.equal(readTheme(context), 'dark')
  jar.set('signpost_theme', 'pink')
  assert.equal(readTheme(context), 'auto')
})

test('a user is told about a change of their passkeys', async (t) => {
  const { sent, accountMail } = aMailServer()
  const { open, logged } = await anAdminPage(t, { app: { accountMail } })
  await tellOwnUser(open('/admin/x'), 'passkey_added', 'Phone')
  assert.deepEqual(
    sent.map(({ recipient }) => recipient),
    ['ann@example.com'],
  )
  assert.match(sent[0]?.text ?? '', /passkey Phone was added/)
  assert.deepEqual(logged, [])
  // Without a mail server, nobody is told.
  await tellOwnUser((await anAdminPage(t)).open('/admin/x'), 'passkey_removed', 'Phone')
  const failing = aMailServer('The mailbox is full.')
  const page = await anAdminPage(t, { app: { accountMail: failing.accountMail } })
  await tellOwnUser(page.open('/admin/x'), 'passkey_removed', 'Phone')
  assert.partialDeepStrictEqual(page.logged, [[{ failure: 'The mailbox is full.' }]])
})

test('an invitation is emailed, and its link is shown in any case', async (t) => {
  const invited = { email: 'ben@example.com', token: 'abc' }
  const link = 'https://admin.example.com/admin/invitation/abc'
  const config = { adminUrl: 'https://admin.example.com' }
  const { sent, accountMail } = aMailServer()
  const ann = await anAdminPage(t, { name: 'Ann', config, app: { accountMail } })
  const outcome = await sendInvitation(ann.open('/admin/users/new'), invited)
  assert.deepEqual(outcome, { email: invited.email, link, mail: 'sent' })
  assert.equal(sent[0]?.recipient, invited.email)
  assert.ok(sent[0]?.text.includes(link))
  assert.ok(sent[0]?.text.includes('Ann (ann@example.com)'))
  const nameless = await anAdminPage(t, { config, app: { accountMail } })
  await sendInvitation(nameless.open('/admin/users/new'), invited)
  assert.match(sent[1]?.text ?? '', /ann@example\.com/)
  assert.doesNotMatch(sent[1]?.text ?? '', /\(ann@example\.com\)|null/)
  const offline = await anAdminPage(t, { config })
  assert.equal((await sendInvitation(offline.open('/admin/x'), invited)).mail, 'off')
  const failing = await anAdminPage(t, { config, app: { accountMail: aMailServer('No.').accountMail } })
  assert.deepEqual(await sendInvitation(failing.open('/admin/x'), invited), {
    ...{ email: invited.email, link, mail: 'failed' },
  })
  assert.partialDeepStrictEqual(failing.logged, [[{ failure: 'No.' }]])
})
