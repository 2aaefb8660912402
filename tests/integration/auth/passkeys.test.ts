import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import { findAccount, findAdministrator, insertAdministrator } from '#src/auth/administrator-store.ts'
import { listAuditEntries } from '#src/auth/audit/audit-store.ts'
import { confirmWithPasskey, prepareConfirmation } from '#src/auth/passkeys/confirm-passkey.ts'
import { preparePasskeySignIn, signInWithPasskey } from '#src/auth/passkeys/passkey-sign-in.ts'
import { findPasskey, listPasskeys } from '#src/auth/passkeys/passkey-store.ts'
import { prepareRegistration, registerPasskey } from '#src/auth/passkeys/register-passkey.ts'
import { removePasskey } from '#src/auth/passkeys/remove-passkey.ts'
import { hasFreshPassword } from '#src/auth/session.ts'
import { deleteSession, listOpenSessions } from '#src/auth/session-store.ts'
import { resumeSession } from '#src/auth/sessions.ts'
import { resetTwoFactorsOf } from '#src/auth/set-up-account.ts'
import { signIn } from '#src/auth/sign-in.ts'
import { disableAdministrator } from '#src/auth/switch-administrator.ts'
import { updatePasskeyHost, updateTwoStepRequired } from '#src/auth/two-factor-settings-store.ts'
import { removeTwoFactors } from '#src/auth/two-factors.ts'
import type { Schema } from '#src/db/schema.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import { sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { quickHash } from '../../support/quick-hash.ts'

const EMAIL = 'ann@example.com'
const PASSWORD = 'correct horse battery'
const NOW = new Date('2026-11-21T10:00:00.000Z')
const PARTY = { host: 'www.example.com', origin: 'https://www.example.com' }
const secretBox = createSecretBox(randomBytes(32))
const visitor = { address: '192.0.2.1', userAgent: 'test', device: undefined }
const { address } = visitor

const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)

async function anAccount(db: Kysely<Schema>, email = EMAIL) {
  await insertAdministrator(db, { email, name: null, passwordHash: quickHash(PASSWORD), now: NOW })
  const administrator = (await findAccount(db, email))?.administrator
  assert.ok(administrator)
  const means = { db, secretBox }
  const enterPassword = (now = NOW) => signIn(means, { email, password: PASSWORD, visitor }, { now })
  const enter = async () => {
    const outcome = await enterPassword()
    assert.ok(outcome.kind === 'signed_in')
    return openSession(db, outcome.token)
  }
  return { administrator, enter, enterPassword }
}

async function openSession(db: Kysely<Schema>, token: string, now = NOW) {
  const found = await resumeSession(db, token, { now })
  assert.ok(found)
  return found.session
}

type Account = Awaited<ReturnType<typeof anAccount>>

async function aPasskey(db: Kysely<Schema>, { administrator }: Account, sessionId: number) {
  const device = createAuthenticator(PARTY)
  const options = await prepareRegistration(db, PARTY, { administrator, sessionId, address }, { now: NOW })
  assert.ok(options)
  const made = { administrator, sessionId, name: 'Laptop', response: device.register(options) }
  assert.equal(await registerPasskey(db, PARTY, made, { now: NOW }), 'registered')
  return device
}

type Device = ReturnType<typeof createAuthenticator>

async function useToEnter(
  db: Kysely<Schema>,
  device: Device,
  {
    bent = {},
    asked = NOW,
    now = NOW,
  }: { bent?: Parameters<Device['sign']>[1]; asked?: Date; now?: Date } = {},
) {
  const prepared = await preparePasskeySignIn({ db }, PARTY, { address }, { now: asked })
  assert.ok(prepared)
  const response = device.sign(prepared.options, bent)
  const given = { ticket: prepared.ticket, response, visitor }
  const enter = () => signInWithPasskey({ db, secretBox }, PARTY, given, { now })
  return { outcome: await enter(), again: enter }
}

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: a passkey counts as both factors, once per challenge, and its use is recorded`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    const device = await aPasskey(db, account, (await account.enter()).id)
    const { outcome, again } = await useToEnter(db, device, { now: later(4) })
    assert.ok(outcome.kind === 'signed_in')
    const session = await openSession(db, outcome.token, later(4))
    assert.equal(session.secondFactor, 'passkey')
    assert.equal((await again()).kind, 'refused', 'the challenge is used up')
    const [passkey] = await listPasskeys(db, account.administrator.id)
    assert.deepEqual([passkey?.name, passkey?.lastUsedAt], ['Laptop', later(4).toISOString()])
    const [entry] = await listAuditEntries(db, { limit: 1 })
    assert.deepEqual([entry?.action, entry?.summary], ['user.signed_in', 'Signed in with a passkey'])
  })

  test(`${engine.name}: a response that is late, unverified, or for another site, user, or challenge is refused`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    const device = await aPasskey(db, account, (await account.enter()).id)
    const refused = [
      { bent: { origin: 'https://evil.example' } },
      { bent: { host: 'evil.example' } },
      { bent: { isVerified: false } },
      { bent: { challenge: 'AAAA' } },
    ]
    for (const how of refused) {
      const { outcome } = await useToEnter(db, device, how)
      assert.equal(outcome.kind, 'refused', JSON.stringify(how))
    }
    const other = await useToEnter(db, device, { bent: { userHandle: 'AAAA' }, now: later(1) })
    assert.equal(other.outcome.kind, 'refused')
    const locked = await useToEnter(db, device, { now: later(2) })
    assert.equal(locked.outcome.kind, 'too_many', 'five failures of a passkey')
    const late = await useToEnter(db, device, { asked: later(20), now: later(25) })
    assert.equal(late.outcome.kind, 'refused')
    assert.equal(
      (await useToEnter(db, createAuthenticator(PARTY), { asked: later(40), now: later(40) })).outcome.kind,
      'refused',
    )
    const right = await useToEnter(db, device, { asked: later(40), now: later(41) })
    assert.equal(right.outcome.kind, 'signed_in')
    assert.equal((await account.enterPassword(later(2))).kind, 'signed_in', 'the password has its own count')
  })

  test(`${engine.name}: a passkey whose counter doesn’t increase is refused and logged`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    const device = await aPasskey(db, account, (await account.enter()).id)
    const enter = async (signCount: number) =>
      (await useToEnter(db, device, { bent: { signCount } })).outcome.kind
    assert.equal(await enter(7), 'signed_in')
    for (const copied of [7, 6, 0]) assert.equal(await enter(copied), 'refused', String(copied))
    const [entry] = await listAuditEntries(db, { limit: 1 })
    assert.equal(entry?.summary, 'The passkey Laptop was rejected because it may have been copied')
    assert.equal(await enter(8), 'signed_in')
  })

  test(`${engine.name}: a registration works once, in its own session, without attestation`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    const { administrator } = account
    const [first, second] = [await account.enter(), await account.enter()]
    const device = createAuthenticator(PARTY)
    const prepare = async (sessionId: number) => {
      const asked = { administrator, sessionId, address }
      const options = await prepareRegistration(db, PARTY, asked, { now: NOW })
      assert.ok(options)
      return options
    }
    const register = (sessionId: number, response: string, now = NOW) =>
      registerPasskey(db, PARTY, { administrator, sessionId, name: 'Key', response }, { now })

    const answer = device.register(await prepare(first.id))
    assert.equal(await register(second.id, answer), 'refused', 'of another session')
    assert.equal(await register(first.id, answer, later(5)), 'refused', 'too late')
    const unverified = device.register(await prepare(first.id), { isVerified: false })
    assert.equal(await register(first.id, unverified), 'refused')
    // {fmt: "packed", attStmt: {x5c: []}, authData: h''}
    const attestation = Buffer.from(
      'a363666d74667061636b65646761747453746d74a163783563806861757468446174' + '6140',
      'hex',
    )
    assert.equal(
      await register(first.id, device.register(await prepare(first.id), { attestation })),
      'refused',
    )
    assert.equal(await register(first.id, 'not JSON'), 'refused')

    assert.equal(await register(first.id, device.register(await prepare(first.id))), 'registered')
    const open = await listOpenSessions(db, administrator.id, { now: NOW })
    assert.deepEqual(
      open.map(({ id, secondFactor }) => [id, secondFactor]),
      [[first.id, 'passkey']],
    )
    const options = await prepare(first.id)
    assert.deepEqual(
      options.excludeCredentials?.map(({ id }) => id),
      [device.id],
    )
    assert.equal(await register(first.id, device.register(options)), 'refused', 'stored already')
    assert.doesNotMatch(options.user.id, /ann/)
  })

  test(`${engine.name}: a passkey satisfies required two-step sign-in, and the password alone doesn’t`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    const userId = account.administrator.id
    const made = await account.enter()
    const device = await aPasskey(db, account, made.id)
    const byPassword = await account.enterPassword()
    assert.ok(byPassword.kind === 'signed_in', 'nobody requires a second factor')
    const byPasskey = (await useToEnter(db, device)).outcome
    assert.ok(byPasskey.kind === 'signed_in')

    await updateTwoStepRequired(db, true)
    assert.equal((await account.enterPassword()).kind, 'passkey_wanted')
    assert.equal(await resumeSession(db, byPassword.token, { now: NOW }), undefined)
    const kept = await resumeSession(db, byPasskey.token, { now: NOW })
    assert.equal(kept?.lacksTwoFactors, false)

    const [passkey] = await listPasskeys(db, userId)
    const { host } = PARTY
    const removal = { userId, passkeyId: passkey?.id ?? 0, keptSessionId: kept?.session.id ?? 0, host }
    assert.deepEqual(await removePasskey(db, removal), { kind: 'refused', code: 'last_factor' })
    await updateTwoStepRequired(db, false)
    assert.equal((await removePasskey(db, removal)).kind, 'saved')
    assert.equal((await removePasskey(db, removal)).kind, 'not_found')
    const open = await listOpenSessions(db, userId, { now: NOW })
    assert.deepEqual(
      open.map(({ id }) => id),
      [removal.keptSessionId],
    )
    assert.equal((await useToEnter(db, device)).outcome.kind, 'refused')
  })

  test(`${engine.name}: a session that has ended removes no passkey, and ends no other session`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    const userId = account.administrator.id
    const ended = await account.enter()
    await aPasskey(db, account, ended.id)
    await deleteSession(db, ended.id, { userId })
    const own = await account.enter()
    const [passkey] = await listPasskeys(db, userId)
    assert.ok(passkey)
    const removal = { userId, passkeyId: passkey.id, keptSessionId: ended.id, host: PARTY.host }
    assert.deepEqual(await removePasskey(db, removal), { kind: 'refused', code: 'ended' })
    assert.equal((await listPasskeys(db, userId)).length, 1)
    const open = await listOpenSessions(db, userId, { now: NOW })
    assert.deepEqual(
      open.map(({ id }) => id),
      [own.id],
    )
  })

  test(`${engine.name}: a passkey of another host is not a second factor until the site moves back`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    const { id: keptSessionId } = await account.enter()
    const device = await aPasskey(db, account, keptSessionId)
    await updateTwoStepRequired(db, true)
    await updatePasskeyHost(db, PARTY.host)
    assert.equal((await account.enterPassword()).kind, 'passkey_wanted')

    for (const host of ['www.example.ie', '']) {
      await updatePasskeyHost(db, host)
      const moved = await account.enterPassword()
      assert.ok(moved.kind === 'signed_in', host)
      const open = await resumeSession(db, moved.token, { now: NOW })
      assert.deepEqual([open?.lacksTwoFactors, open?.administrator.hasPasskeys], [true, false])
    }

    await updatePasskeyHost(db, PARTY.host)
    assert.equal((await account.enterPassword()).kind, 'passkey_wanted')
    assert.equal((await useToEnter(db, device)).outcome.kind, 'signed_in')
    const [passkey] = await listPasskeys(db, account.administrator.id)
    const removal = { userId: account.administrator.id, passkeyId: passkey?.id ?? 0, keptSessionId }
    assert.equal((await removePasskey(db, { ...removal, host: PARTY.host })).kind, 'refused')
    assert.equal((await removePasskey(db, { ...removal, host: 'www.example.ie' })).kind, 'saved')
  })

  test(`${engine.name}: an authenticator app still asks for its code, and can be removed if a passkey remains`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    const userId = account.administrator.id
    await updateTwoStepRequired(db, true)
    const columns = { totp_secret: 'sealed', totp_confirmed_at: NOW.toISOString() }
    await db.updateTable('admin_users').set(columns).execute()
    assert.deepEqual(await removeTwoFactors(db, userId), { kind: 'refused', code: 'required' })
    await db.updateTable('admin_users').set({ totp_confirmed_at: null }).execute()
    const { id } = await account.enter()
    await aPasskey(db, account, id)
    await db.updateTable('admin_users').set(columns).execute()
    assert.equal((await account.enterPassword()).kind, 'code_wanted')
    assert.equal((await removeTwoFactors(db, userId, { keptSessionId: id })).kind, 'saved')
    assert.equal((await account.enterPassword()).kind, 'passkey_wanted')
  })

  test(`${engine.name}: a reset removes passkeys, and a disabled account can’t sign in with one`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    const userId = account.administrator.id
    const device = await aPasskey(db, account, (await account.enter()).id)
    await anAccount(db, 'owner@example.com')
    await disableAdministrator(db, { actorId: undefined, userId }, { now: NOW })
    assert.equal((await useToEnter(db, device)).outcome.kind, 'refused')
    await db.updateTable('admin_users').set({ disabled_at: null }).execute()
    assert.deepEqual(await resetTwoFactorsOf(db, EMAIL, { now: NOW }), { kind: 'reset' })
    assert.equal((await findAdministrator(db, userId))?.hasPasskeys, false)
    assert.equal(await findPasskey(db, device.id), undefined)
    assert.equal((await useToEnter(db, device)).outcome.kind, 'refused')
  })

  test(`${engine.name}: only the user’s own passkey confirms a session in place of the password`, async () => {
    const db = await engine.openMigrated()
    const [ann, bob] = [await anAccount(db), await anAccount(db, 'bob@example.com')]
    const session = await ann.enter()
    const own = await aPasskey(db, ann, session.id)
    const foreign = await aPasskey(db, bob, (await bob.enter()).id)
    const old = { password_checked_at: later(-20).toISOString() }
    await db.updateTable('admin_sessions').set(old).execute()
    const asked = { administrator: ann.administrator, session, address }
    const confirm = async (device: Device) => {
      const options = await prepareConfirmation(db, PARTY, asked, { now: NOW })
      assert.deepEqual(
        options?.allowCredentials?.map(({ id }) => id),
        [own.id],
      )
      const response = device.sign(options ?? { challenge: '' })
      return (await confirmWithPasskey(db, PARTY, { ...asked, response }, { now: NOW })).kind
    }
    assert.equal(await confirm(foreign), 'wrong')
    assert.equal(await confirm(own), 'right')
    const [open] = await listOpenSessions(db, ann.administrator.id, { now: NOW })
    assert.ok(open && hasFreshPassword(open, { now: NOW }))
  })

  test(`${engine.name}: challenges are limited per address and expire`, async () => {
    const db = await engine.openMigrated()
    const prepare = (now: Date) => preparePasskeySignIn({ db }, PARTY, { address }, { now })
    for (let count = 0; count < 100; count++) assert.ok(await prepare(NOW))
    assert.equal(await prepare(later(1)), undefined)
    assert.ok(await prepare(later(5)))
    const left = await db.selectFrom('passkey_challenges').select('holder').execute()
    assert.equal(left.length, 1)
  })
}
