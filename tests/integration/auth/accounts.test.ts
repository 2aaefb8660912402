import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { findAccount, findAdministrator, insertAdministrator } from '#src/auth/administrator-store.ts'
import { listAuditEntries } from '#src/auth/audit/audit-store.ts'
import { changePassword } from '#src/auth/change-password.ts'
import { checkPasswordAgain } from '#src/auth/check-password.ts'
import { hasFreshPassword } from '#src/auth/session.ts'
import { deleteSession, insertSession, listOpenSessions } from '#src/auth/session-store.ts'
import { resumeSession } from '#src/auth/sessions.ts'
import { setUpAccount } from '#src/auth/set-up-account.ts'
import { createSetup } from '#src/auth/setup.ts'
import { signIn, signInWithCode } from '#src/auth/sign-in.ts'
import {
  disableAdministrator,
  enableAdministrator,
  removeAdministrator,
} from '#src/auth/switch-administrator.ts'
import { confirmTwoFactors, prepareTwoFactors } from '#src/auth/two-factors.ts'
import type { Schema } from '#src/db/schema.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { doBefore, sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { quickHash } from '../../support/quick-hash.ts'
import { printFigure } from '../../support/soak.ts'

const PASSWORD = 'correct horse battery'
const NOW = new Date('2026-11-21T10:00:00.000Z')
const secretBox = createSecretBox(randomBytes(32))

const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
const from = (address: string, device?: string) => ({ address, userAgent: 'test', device })

async function anAccount(db: Kysely<Schema>, email = 'ann@example.com') {
  await insertAdministrator(db, { email, name: null, passwordHash: quickHash(PASSWORD), now: NOW })
  const administrator = (await findAccount(db, email))?.administrator
  assert.ok(administrator)
  return administrator
}

function aSession(db: Kysely<Schema>, userId: number) {
  return insertSession(
    db,
    { userId, tokenSha256: randomBytes(32).toString('hex'), ...from('1'), secondFactor: null },
    { now: NOW },
  )
}

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  async function openDatabase() {
    const db = await engine.openMigrated()
    return db
  }

  test(`${engine.name}: a session ends after 12 idle hours, after 7 days, and with its account`, async () => {
    const db = await openDatabase()
    const { id } = await anAccount(db)
    await anAccount(db, 'bob@example.com')
    const signedIn = await signIn(
      { db, secretBox },
      { email: 'ann@example.com', password: PASSWORD, visitor: from('1') },
      { now: NOW },
    )
    assert.ok(signedIn.kind === 'signed_in')
    const [entry] = await listAuditEntries(db, { limit: 1 })
    const { action, userEmail, subjectType, subjectId, address } = entry ?? {}
    assert.deepEqual(
      [action, userEmail, subjectType, subjectId, address],
      ['user.signed_in', 'ann@example.com', 'user', String(id), '1'],
    )
    const at = (hours: number) => resumeSession(db, signedIn.token, { now: later(hours * 60) })
    for (let hours = 0; hours < 7 * 24; hours += 11)
      assert.equal((await at(hours))?.administrator.id, id, `${hours} h`)
    assert.equal(await at(7 * 24), undefined)

    const again = await signIn(
      { db, secretBox },
      { email: 'ann@example.com', password: PASSWORD, visitor: from('1') },
      { now: NOW },
    )
    assert.ok(again.kind === 'signed_in')
    assert.equal(await resumeSession(db, again.token, { now: later(12 * 60) }), undefined)
    assert.ok(await resumeSession(db, again.token, { now: later(1) }))
    assert.equal(
      (await disableAdministrator(db, { actorId: undefined, userId: id }, { now: NOW })).kind,
      'saved',
    )
    assert.equal(await resumeSession(db, again.token, { now: later(1) }), undefined)
    const off = await signIn(
      { db, secretBox },
      { email: 'ann@example.com', password: PASSWORD, visitor: from('1') },
      { now: NOW },
    )
    assert.equal(off.kind, 'refused')
  })

  test(`${engine.name}: an administrator ends their own sessions only`, async () => {
    const db = await openDatabase()
    const accounts = [await anAccount(db), await anAccount(db, 'bob@example.com')]
    for (const { email } of accounts)
      await signIn({ db, secretBox }, { email, password: PASSWORD, visitor: from('1') }, { now: NOW })
    const [ann, bob] = accounts.map(({ id }) => id)
    const sessionsOf = async (userId = 0) =>
      (await listOpenSessions(db, userId, { now: NOW })).map(({ id }) => id)
    const [session = 0] = await sessionsOf(bob)
    assert.equal(await deleteSession(db, session, { userId: ann ?? 0 }), false)
    assert.deepEqual(await sessionsOf(bob), [session])
    assert.equal(await deleteSession(db, session, { userId: bob ?? 0 }), true)
    assert.deepEqual([(await sessionsOf(ann)).length, (await sessionsOf(bob)).length], [1, 0])
  })

  test(`${engine.name}: sign-in is limited to 5 failures per account and 20 per address in 15 minutes`, async (t) => {
    const db = await openDatabase()
    await anAccount(db)
    const attempt = (
      email: string,
      address: string,
      options: { password?: string; minute?: number; device?: string } = {},
    ) => {
      const { password = 'wrong password', minute = 0, device } = options
      return signIn(
        { db, secretBox },
        { email, password, visitor: from(address, device) },
        { now: later(minute) },
      )
    }
    const first = await attempt('ann@example.com', 'home', { password: PASSWORD })
    assert.ok(first.kind === 'signed_in')

    const together = await Promise.all(
      Array.from({ length: 12 }, (_, i) => attempt('ann@example.com', `10.0.0.${i}`)),
    )
    let failed = together.filter(({ kind }) => kind === 'refused').length
    assert.ok(failed <= 5, `${failed} at the same moment`)
    for (; failed < 5; failed++) assert.equal((await attempt('ann@example.com', 'elsewhere')).kind, 'refused')
    const locked = await attempt('ann@example.com', 'elsewhere', { password: PASSWORD, minute: 5 })
    assert.deepEqual(locked, { kind: 'too_many', retryAfterSeconds: 600 })
    await anAccount(db, 'bob@example.com')
    const bobs = await attempt('bob@example.com', 'home', { password: PASSWORD })
    assert.ok(bobs.kind === 'signed_in')
    const withBobs = { password: PASSWORD, minute: 5, device: bobs.device }
    assert.equal((await attempt('ann@example.com', 'elsewhere', withBobs)).kind, 'too_many')
    const own = await attempt('ann@example.com', 'home', {
      password: PASSWORD,
      minute: 5,
      device: first.device,
    })
    assert.equal(own.kind, 'signed_in', 'who signed in before in this browser is not locked out by others')
    assert.equal(
      (await attempt('ann@example.com', 'elsewhere', { password: PASSWORD, minute: 15.1 })).kind,
      'signed_in',
    )

    // Three are unknown, and cost the work of a whole check each.
    const names = Array.from({ length: 22 }, (_, i) => `somebody${i}@example.com`)
    for (const name of names.slice(3)) await anAccount(db, name)
    const kinds: string[] = []
    for (const name of names) kinds.push((await attempt(name, 'one', { minute: 60 })).kind)
    assert.deepEqual(kinds, [...Array(20).fill('refused'), 'too_many', 'too_many'])
    printFigure(t, `${engine.name}: ${failed} of an account, 20 of an address`)
    assert.equal(
      (await attempt('ann@example.com', 'one', { password: PASSWORD, minute: 76 })).kind,
      'signed_in',
    )
  })

  test(`${engine.name}: changing a password ends other sessions, and setting it on the server ends all`, async () => {
    const db = await openDatabase()
    const administrator = await anAccount(db)
    const enter = async (password = PASSWORD) => {
      const outcome = await signIn(
        { db, secretBox },
        { email: administrator.email, password, visitor: from('1') },
        { now: NOW },
      )
      assert.ok(outcome.kind === 'signed_in')
      return outcome.token
    }
    const [kept, other] = [await enter(), await enter()]
    const session = (await resumeSession(db, kept, { now: NOW }))?.session
    assert.ok(session)
    const weak = await changePassword(db, administrator, {
      password: 'ann@example.com1',
      keptSessionId: session.id,
    })
    assert.equal(weak.kind, 'invalid')
    await changePassword(db, administrator, { password: 'tangerine ladder fog', keptSessionId: session.id })
    assert.ok(await resumeSession(db, kept, { now: NOW }))
    assert.equal(await resumeSession(db, other, { now: NOW }), undefined)

    const reset = await setUpAccount(
      db,
      { email: administrator.email, password: 'a ladder in the fog' },
      { now: NOW },
    )
    assert.deepEqual(reset, { kind: 'saved', value: 'reset' })
    assert.equal(await resumeSession(db, kept, { now: NOW }), undefined)
    assert.deepEqual(await listOpenSessions(db, administrator.id, { now: NOW }), [])
    await enter('a ladder in the fog')
  })

  test(`${engine.name}: with two-step sign-in the password alone isn’t enough, and no code works twice`, async () => {
    const db = await openDatabase()
    const administrator = await anAccount(db)
    const means = { db, secretBox }
    const { secret, address } = await prepareTwoFactors(means, administrator)
    assert.match(address, /^otpauth:\/\/totp\/Signpost:ann%40example\.com\?issuer=Signpost&secret=/)
    assert.equal((await prepareTwoFactors(means, administrator)).secret, secret)
    const stored = await db.selectFrom('admin_users').select('totp_secret').executeTakeFirstOrThrow()
    assert.ok(!stored.totp_secret?.includes(secret))
    const codeAt = (now: Date) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() })
    const confirm = (code: string) => confirmTwoFactors(means, administrator.id, { code }, { now: NOW })
    assert.equal((await confirm('000000')).kind, 'refused')
    const confirmed = await confirm(codeAt(NOW))
    const recovery = confirmed.kind === 'saved' ? confirmed.value : []
    assert.equal(recovery.length, 10)

    const begin = async (now: Date) => {
      const outcome = await signIn(
        means,
        { email: administrator.email, password: PASSWORD, visitor: from('1') },
        { now },
      )
      assert.ok(outcome.kind === 'code_wanted')
      return outcome.ticket
    }
    const finish = (ticket: string, code: string, now: Date) =>
      signInWithCode(means, { ticket, code, visitor: from('1') }, { now })
    const ticket = await begin(NOW)
    assert.equal(
      (await finish(ticket, codeAt(NOW), NOW)).kind,
      'refused',
      'the code was used to switch codes on',
    )
    assert.equal((await finish(ticket, codeAt(later(1)), later(1))).kind, 'signed_in')
    assert.equal((await finish(ticket, codeAt(later(1)), later(1))).kind, 'refused')
    assert.equal((await finish(ticket, String(recovery[0]).toUpperCase(), later(2))).kind, 'signed_in')
    assert.equal((await finish(ticket, String(recovery[0]), later(2))).kind, 'refused')
    assert.equal((await finish(ticket, codeAt(later(6)), later(6))).kind, 'refused', 'the ticket is too old')
    assert.equal((await finish('made up', codeAt(later(20)), later(20))).kind, 'refused')

    const old = await begin(later(30))
    await setUpAccount(
      db,
      { email: administrator.email, password: 'a ladder in the fog' },
      { now: later(30) },
    )
    assert.equal((await finish(old, codeAt(later(31)), later(31))).kind, 'refused', 'of another password')
  })

  test(`${engine.name}: a pending sign-in ends when its password changes or its account is removed`, async () => {
    const db = await openDatabase()
    const ann = await anAccount(db)
    await anAccount(db, 'bob@example.com')
    const enterBeside = async (change: () => Promise<unknown>) => {
      // By then the password was found right.
      const checked = { db: doBefore(db, 'delete from "sign_in_failures" where "id"', change), secretBox }
      const typed = { email: ann.email, password: PASSWORD, visitor: from('1') }
      assert.equal((await signIn(checked, typed, { now: NOW })).kind, 'refused')
      assert.deepEqual(await listOpenSessions(db, ann.id, { now: NOW }), [])
    }
    await enterBeside(async () => {
      await disableAdministrator(db, { actorId: undefined, userId: ann.id }, { now: NOW })
    })
    await enableAdministrator(db, { actorId: undefined, userId: ann.id })
    await enterBeside(async () => {
      const keptSessionId = await aSession(db, ann.id)
      await changePassword(db, ann, { password: 'tangerine ladder fog', keptSessionId })
      await deleteSession(db, keptSessionId, { userId: ann.id })
    })
  })

  test(`${engine.name}: a pending password change is discarded when its session ends`, async () => {
    const db = await openDatabase()
    const ann = await anAccount(db)
    const [own, other, ended] = [
      await aSession(db, ann.id),
      await aSession(db, ann.id),
      await aSession(db, ann.id),
    ]
    const change = (password: string, keptSessionId: number) =>
      changePassword(db, ann, { password, keptSessionId })
    await deleteSession(db, ended, { userId: ann.id })
    assert.equal((await change('a ladder in the fog', ended)).kind, 'refused')
    const both = await Promise.all([
      change('tangerine ladder fog', own),
      change('a ladder in the fog', other),
    ])
    assert.deepEqual(both.map(({ kind }) => kind).sort(), ['refused', 'saved'])
    const [kept] = await listOpenSessions(db, ann.id, { now: NOW })
    const [isOwn, password] =
      both[0].kind === 'saved' ? [own, 'tangerine ladder fog'] : [other, 'a ladder in the fog']
    assert.equal(kept?.id, isOwn)
    const typed = { email: ann.email, password, visitor: from('1') }
    assert.equal((await signIn({ db, secretBox }, typed, { now: NOW })).kind, 'signed_in')
  })

  test(`${engine.name}: of two concurrent first accounts one is created`, async () => {
    const setup = createSetup(await openDatabase())
    const make = (email: string, password = 'a long enough password') =>
      setup.createFirst({ email, name: null, password }, { now: NOW })
    assert.equal((await make('plimquat@example.com', 'Plimquat20!6x')).kind, 'invalid')
    const outcomes = await Promise.all([make('ann@example.com'), make('bob@example.com')])
    assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['invalid', 'saved'])
  })

  test(`${engine.name}: §2.1 removing an account keeps its forms, and the last account can’t be removed`, async () => {
    const db = await openDatabase()
    const ann = await anAccount(db)
    assert.deepEqual(await removeAdministrator(db, { actorId: undefined, userId: ann.id }), {
      kind: 'refused',
      code: 'last_one',
    })
    assert.deepEqual(await disableAdministrator(db, { actorId: undefined, userId: ann.id }, { now: NOW }), {
      kind: 'refused',
      code: 'last_one',
    })
    const bob = await anAccount(db, 'bob@example.com')
    await db.updateTable('forms').set({ updated_by: bob.id }).where('slug', '=', 'waitlist').execute()
    await disableAdministrator(db, { actorId: undefined, userId: bob.id }, { now: NOW })
    assert.deepEqual(await removeAdministrator(db, { actorId: undefined, userId: ann.id }), {
      kind: 'refused',
      code: 'last_one',
    })
    await enableAdministrator(db, { actorId: undefined, userId: bob.id })
    assert.equal((await removeAdministrator(db, { actorId: undefined, userId: bob.id })).kind, 'saved')
    assert.equal(await findAdministrator(db, bob.id), undefined)
    const form = await db
      .selectFrom('forms')
      .select('updated_by')
      .where('slug', '=', 'waitlist')
      .executeTakeFirstOrThrow()
    assert.equal(form.updated_by, null)
  })

  test(`${engine.name}: the password is asked for again after 15 minutes, with the same failure limit`, async () => {
    const db = await openDatabase()
    const administrator = await anAccount(db)
    const outcome = await signIn(
      { db, secretBox },
      { email: administrator.email, password: PASSWORD, visitor: from('1') },
      { now: NOW },
    )
    assert.ok(outcome.kind === 'signed_in')
    const find = async () => (await resumeSession(db, outcome.token, { now: NOW }))?.session
    const session = await find()
    assert.ok(
      session &&
        hasFreshPassword(session, { now: later(14) }) &&
        !hasFreshPassword(session, { now: later(15) }),
    )
    const check = (password: string, of = session) =>
      checkPasswordAgain(db, { administrator, session: of, password, address: '1' }, { now: later(20) })
    assert.equal((await check('wrong')).kind, 'wrong')
    assert.equal((await find())?.passwordCheckedAt, session.passwordCheckedAt)
    assert.equal((await check(PASSWORD)).kind, 'right')
    const checked = await find()
    assert.ok(checked && hasFreshPassword(checked, { now: later(30) }))
    for (let count = 0; count < 4; count++) assert.equal((await check('wrong')).kind, 'wrong')
    assert.equal((await check(PASSWORD)).kind, 'too_many')
    assert.equal((await check(PASSWORD, { ...session, id: session.id + 1 })).kind, 'right')
  })
}
