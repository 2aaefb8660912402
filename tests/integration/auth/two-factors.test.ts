import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { findAccount, findAdministrator, insertAdministrator } from '#src/auth/administrator-store.ts'
import { listAuditEntries } from '#src/auth/audit/audit-store.ts'
import { deleteSession, listOpenSessions } from '#src/auth/session-store.ts'
import { resumeSession } from '#src/auth/sessions.ts'
import { resetTwoFactorsOf, setUpAccount } from '#src/auth/set-up-account.ts'
import { signIn, signInWithCode } from '#src/auth/sign-in.ts'
import { isTwoStepRequired, updateTwoStepRequired } from '#src/auth/two-factor-settings-store.ts'
import { confirmTotp, countRecoveryCodes, replaceRecoveryCodes } from '#src/auth/two-factor-store.ts'
import {
  confirmTwoFactors,
  prepareTwoFactors,
  removeTwoFactors,
  renewRecoveryCodes,
} from '#src/auth/two-factors.ts'
import type { Schema } from '#src/db/schema.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { doBefore, sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { quickHash } from '../../support/quick-hash.ts'

const EMAIL = 'ann@example.com'
const PASSWORD = 'correct horse battery'
const NOW = new Date('2026-11-21T10:00:00.000Z')
const secretBox = createSecretBox(randomBytes(32))
const visitor = { address: '1', userAgent: 'test', device: undefined }

const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)

async function anAccount(db: Kysely<Schema>, email = EMAIL) {
  const values = { email, name: null, passwordHash: quickHash(PASSWORD), now: NOW }
  await insertAdministrator(db, values)
  const administrator = (await findAccount(db, email))?.administrator
  assert.ok(administrator)
  const enterPassword = (means = { db, secretBox }, now = NOW) =>
    signIn(means, { email, password: PASSWORD, visitor }, { now })
  const enter = async () => {
    const outcome = await enterPassword()
    assert.ok(outcome.kind === 'signed_in')
    const found = await resumeSession(db, outcome.token, { now: NOW })
    assert.ok(found)
    return found.session.id
  }
  const listSessions = async () =>
    (await listOpenSessions(db, administrator.id, { now: NOW })).map(({ id }) => id)
  return { administrator, enter, enterPassword, listSessions }
}

/** Sets up two-step sign-in; returns the recovery codes and what gives the code of a moment. */
async function setUpTwoFactors(
  db: Kysely<Schema>,
  account: Awaited<ReturnType<typeof anAccount>>,
  { keptSessionId, now = NOW }: { keptSessionId?: number; now?: Date } = {},
) {
  const { administrator } = account
  const { secret } = await prepareTwoFactors({ db, secretBox }, administrator)
  const codeAt = (moment: Date) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: moment.getTime() })
  const confirmation = { code: codeAt(now), keptSessionId }
  const outcome = await confirmTwoFactors({ db, secretBox }, administrator.id, confirmation, { now })
  assert.ok(outcome.kind === 'saved')
  return { codes: outcome.value, codeAt }
}

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: a reset removes the second factor and its codes, ends all sessions, and is logged`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    const { id } = account.administrator
    assert.deepEqual(await resetTwoFactorsOf(db, 'bob@example.com', { now: NOW }), { kind: 'unknown' })
    assert.deepEqual(await resetTwoFactorsOf(db, EMAIL, { now: NOW }), { kind: 'not_set_up' })
    const kept = await account.enter()
    await setUpTwoFactors(db, account, { keptSessionId: kept })
    assert.deepEqual(await account.listSessions(), [kept])

    assert.deepEqual(await resetTwoFactorsOf(db, EMAIL, { now: NOW }), { kind: 'reset' })
    assert.deepEqual(await account.listSessions(), [])
    assert.equal((await findAdministrator(db, id))?.hasTwoFactors, false)
    assert.equal(await countRecoveryCodes(db, id), 0)
    const [entry] = await listAuditEntries(db, { limit: 1 })
    assert.equal(entry?.action, 'user.two_factors_reset')
    assert.equal(entry?.summary, 'Reset two-step sign-in from the command line')
    assert.equal((await account.enterPassword()).kind, 'signed_in')
  })

  test(`${engine.name}: with another SECRET_KEY, recovery codes sign in, and a new app can be set up`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    const { codes, codeAt } = await setUpTwoFactors(db, account)
    const bob = await anAccount(db, 'bob@example.com')
    await prepareTwoFactors({ db, secretBox }, bob.administrator)
    const means = { db, secretBox: createSecretBox(randomBytes(32)) }
    const now = later(5)
    const first = await account.enterPassword(means, now)
    assert.ok(first.kind === 'code_wanted')
    const enter = async (code = '') =>
      (await signInWithCode(means, { ticket: first.ticket, code, visitor }, { now })).kind
    assert.deepEqual([await enter(codeAt(now)), await enter(codes[0])], ['refused', 'signed_in'])

    const { secret } = await prepareTwoFactors(means, bob.administrator)
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: NOW.getTime() })
    const confirmed = await confirmTwoFactors(means, bob.administrator.id, { code }, { now: NOW })
    assert.equal(confirmed.kind, 'saved')
  })

  test(`${engine.name}: after five wrong codes the right one is refused too`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    const { id } = account.administrator
    const none = await confirmTwoFactors({ db, secretBox }, id, { code: '000000' }, { now: NOW })
    assert.deepEqual(none, { kind: 'refused', code: 'wrong_code' }, 'no key yet')
    const { codeAt } = await setUpTwoFactors(db, account)
    const now = later(5)
    const first = await account.enterPassword({ db, secretBox }, now)
    assert.ok(first.kind === 'code_wanted')
    const enter = async (code: string) =>
      (await signInWithCode({ db, secretBox }, { ticket: first.ticket, code, visitor }, { now })).kind
    for (let count = 0; count < 5; count++) assert.equal(await enter('not a code'), 'refused')
    assert.equal(await enter(codeAt(now)), 'too_many')
  })

  test(`${engine.name}: a session shows that its user lacks a required second factor`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    const outcome = await account.enterPassword()
    assert.ok(outcome.kind === 'signed_in')
    const lacks = async () => (await resumeSession(db, outcome.token, { now: NOW }))?.lacksTwoFactors
    assert.equal(await lacks(), false)
    assert.deepEqual(
      [await updateTwoStepRequired(db, true), await updateTwoStepRequired(db, true)],
      [true, false],
    )
    assert.deepEqual([await isTwoStepRequired(db), await lacks()], [true, true])
    await confirmTotp(db, account.administrator.id, { now: NOW })
    assert.equal(await lacks(), false)
    assert.deepEqual(
      [await updateTwoStepRequired(db, false), await updateTwoStepRequired(db, false)],
      [true, false],
    )
    assert.equal(await isTwoStepRequired(db), false)
  })

  test(`${engine.name}: a recovery code works for its own account only, and another account can’t use it up`, async () => {
    const db = await engine.openMigrated()
    const [ann, bob] = [await anAccount(db), await anAccount(db, 'bob@example.com')]
    await setUpTwoFactors(db, ann)
    const { codes } = await setUpTwoFactors(db, bob)
    const enter = async (account: typeof ann, code = '') => {
      const first = await account.enterPassword()
      assert.ok(first.kind === 'code_wanted')
      return (await signInWithCode({ db, secretBox }, { ticket: first.ticket, code, visitor }, { now: NOW }))
        .kind
    }
    assert.equal(await enter(ann, codes[0]), 'refused')
    assert.equal(await countRecoveryCodes(db, bob.administrator.id), codes.length)
    assert.equal(await enter(bob, codes[0]), 'signed_in')
    assert.equal(await countRecoveryCodes(db, bob.administrator.id), codes.length - 1)
    assert.equal(await countRecoveryCodes(db, ann.administrator.id), codes.length)
  })

  test(`${engine.name}: adding, replacing, or removing a factor ends every other session`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    const { id } = account.administrator
    const [keptSessionId] = [await account.enter(), await account.enter()]
    await setUpTwoFactors(db, account, { keptSessionId })
    assert.deepEqual(await account.listSessions(), [keptSessionId])

    const insertOther = () =>
      db
        .insertInto('admin_sessions')
        .values({
          user_id: id,
          token_sha256: randomBytes(32).toString('hex'),
          created_at: NOW.toISOString(),
          last_seen_at: NOW.toISOString(),
          password_checked_at: NOW.toISOString(),
          address: '2',
          user_agent: 'other',
        })
        .execute()
    for (const change of [renewRecoveryCodes, removeTwoFactors]) {
      await insertOther()
      assert.equal((await account.listSessions()).length, 2)
      await change(db, id, { keptSessionId })
      assert.deepEqual(await account.listSessions(), [keptSessionId], change.name)
    }
  })

  test(`${engine.name}: a session that has ended changes no second factor, and ends no other session`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    const { id } = account.administrator
    const means = { db, secretBox }
    const [own, ended] = [await account.enter(), await account.enter()]
    const { secret } = await prepareTwoFactors(means, account.administrator)
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: NOW.getTime() })
    const refused = { kind: 'refused', code: 'ended' }
    await deleteSession(db, ended, { userId: id })
    const kept = { keptSessionId: ended }
    assert.deepEqual(await confirmTwoFactors(means, id, { code, ...kept }, { now: NOW }), refused)
    assert.equal((await findAdministrator(db, id))?.hasTwoFactors, false)
    await confirmTotp(db, id, { now: NOW })
    for (const change of [renewRecoveryCodes, removeTwoFactors])
      assert.deepEqual(await change(db, id, kept), refused, change.name)
    assert.equal((await findAdministrator(db, id))?.hasTwoFactors, true)
    assert.equal(await countRecoveryCodes(db, id), 0)
    assert.deepEqual(await account.listSessions(), [own])
  })

  test(`${engine.name}: turning on or resetting two-step sign-in ends a pending sign-in`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    // By then the password was found right.
    const beside = {
      db: doBefore(db, 'delete from "sign_in_failures" where "id"', () => setUpTwoFactors(db, account)),
      secretBox,
    }
    assert.equal((await account.enterPassword(beside)).kind, 'refused')
    assert.deepEqual(await account.listSessions(), [])

    const first = await account.enterPassword()
    assert.ok(first.kind === 'code_wanted')
    await removeTwoFactors(db, account.administrator.id)
    const { codes } = await setUpTwoFactors(db, account, { now: later(1) })
    const [code = ''] = codes
    const finish = (ticket: string) =>
      signInWithCode({ db, secretBox }, { ticket, code, visitor }, { now: later(2) })
    assert.equal((await finish(first.ticket)).kind, 'refused', 'of the former second factor')
    const second = await account.enterPassword(undefined, later(2))
    assert.ok(second.kind === 'code_wanted')
    assert.equal((await finish(second.ticket)).kind, 'signed_in')
  })

  test(`${engine.name}: a new password discards an unconfirmed key`, async () => {
    const db = await engine.openMigrated()
    const { administrator } = await anAccount(db)
    const prepare = async () => (await prepareTwoFactors({ db, secretBox }, administrator)).secret
    const seen = await prepare()
    assert.equal(await prepare(), seen)
    await setUpAccount(db, { email: EMAIL, password: 'tangerine ladder fog' }, { now: NOW })
    assert.notEqual(await prepare(), seen)
  })

  test(`${engine.name}: a new password keeps a confirmed second factor`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    await setUpTwoFactors(db, account)
    await setUpAccount(db, { email: EMAIL, password: 'tangerine ladder fog' }, { now: NOW })
    assert.equal((await findAdministrator(db, account.administrator.id))?.hasTwoFactors, true)
    assert.equal(await countRecoveryCodes(db, account.administrator.id), 10)
  })

  test(`${engine.name}: recovery codes have 128 bits, and shorter earlier ones still work`, async () => {
    const db = await engine.openMigrated()
    const account = await anAccount(db)
    const { id } = account.administrator
    const { codes } = await setUpTwoFactors(db, account)
    const renewed = await renewRecoveryCodes(db, id)
    assert.equal(new Set([...codes, ...(renewed.kind === 'saved' ? renewed.value : [])]).size, 20)
    for (const code of codes) assert.match(code, /^[0-9a-f]{4}(-[0-9a-f]{4}){7}$/)

    const SHA256_OF_FORMER = '1bd8fd47297046f993e608e398d5905b00a33e163c6b1172dd38887fed05ed6a'
    await replaceRecoveryCodes(db, id, [SHA256_OF_FORMER])
    const outcome = await account.enterPassword()
    assert.ok(outcome.kind === 'code_wanted')
    const former = { ticket: outcome.ticket, code: '01234-56789-ABCDE-f0123', visitor }
    assert.equal((await signInWithCode({ db, secretBox }, former, { now: NOW })).kind, 'signed_in')
    assert.equal((await signInWithCode({ db, secretBox }, former, { now: NOW })).kind, 'refused')
  })
}
