import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { findAccount, insertAdministrator } from '#src/auth/administrator-store.ts'
import { findInvited, inviteUser } from '#src/auth/password-links/invitations.ts'
import { findReset, makeReset } from '#src/auth/password-links/password-resets.ts'
import { NO_LIMITS } from '#src/auth/roles/role.ts'
import { hasFreshPassword } from '#src/auth/session.ts'
import { touchSession } from '#src/auth/session-store.ts'
import { resumeSession, startSession } from '#src/auth/sessions.ts'
import { signIn, signInWithCode } from '#src/auth/sign-in.ts'
import { tryWithinLimits } from '#src/auth/sign-in-limits.ts'
import { confirmTwoFactors, prepareTwoFactors } from '#src/auth/two-factors.ts'
import type { Schema } from '#src/db/schema.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { sqliteEngine } from '../../support/database.ts'
import { quickHash } from '../../support/quick-hash.ts'

const PASSWORD = 'correct horse battery'
const AS_OWNER = { access: { role: 'owner', limits: NO_LIMITS }, actorId: undefined } as const
const NOW = new Date('2026-11-21T10:00:00.000Z')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const visitor = { address: '127.0.0.1', userAgent: 'test', device: undefined }
const secretBox = createSecretBox(randomBytes(32))
const engine = sqliteEngine()
after(() => engine.close())

const later = (ms: number) => new Date(NOW.getTime() + ms)

async function anAccount(db: Kysely<Schema>) {
  const account = { email: 'ann@example.com', name: null, passwordHash: quickHash(PASSWORD) }
  await insertAdministrator(db, { ...account, now: NOW })
  const found = await findAccount(db, account.email)
  assert.ok(found)
  return found.administrator
}

async function aSession(db: Kysely<Schema>) {
  const token = await startSession(db, (await anAccount(db)).id, visitor, { now: NOW })
  const session = (await resumeSession(db, token, { now: NOW }))?.session
  assert.ok(session)
  return { token, session }
}

type IsGood = (db: Kysely<Schema>, ms: number) => Promise<boolean>

const inUse: IsGood = async (db, ms) => {
  const { token, session } = await aSession(db)
  await touchSession(db, session.id, { now: later(ms - MINUTE_MS) })
  return (await resumeSession(db, token, { now: later(ms) })) !== undefined
}

const unused: IsGood = async (db, ms) => {
  const { token } = await aSession(db)
  return (await resumeSession(db, token, { now: later(ms) })) !== undefined
}

const confirmed: IsGood = async (db, ms) => hasFreshPassword((await aSession(db)).session, { now: later(ms) })

const locked: IsGood = async (db, ms) => {
  const attempt = (isRight: boolean, after: number) =>
    tryWithinLimits(
      db,
      { account: 'ann@example.com', address: '127.0.0.1' },
      { now: later(after), attempt: async () => isRight },
    )
  for (let count = 0; count < 5; count++) assert.equal((await attempt(false, 0)).kind, 'wrong')
  return (await attempt(true, ms)).kind === 'too_many'
}

const halfSignedIn: IsGood = async (db, ms) => {
  const means = { db, secretBox }
  const administrator = await anAccount(db)
  const { id, email } = administrator
  const { secret } = await prepareTwoFactors(means, administrator)
  const codeAt = (now: Date) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() })
  await confirmTwoFactors(means, id, { code: codeAt(NOW) }, { now: NOW })
  const first = await signIn(means, { email, password: PASSWORD, visitor }, { now: NOW })
  assert.ok(first.kind === 'code_wanted')
  const now = later(ms)
  const second = await signInWithCode(means, { ticket: first.ticket, code: codeAt(now), visitor }, { now })
  return second.kind === 'signed_in'
}

const invited: IsGood = async (db, ms) => {
  const outcome = await inviteUser(db, { email: 'bob@example.com', name: null, ...AS_OWNER }, { now: NOW })
  assert.ok(outcome.kind === 'saved')
  return (await findInvited(db, outcome.value.token, { now: later(ms) })) !== undefined
}

const resettable: IsGood = async (db, ms) => {
  const { email } = await anAccount(db)
  const token = await makeReset(db, email, { now: NOW })
  return (await findReset(db, token ?? '', { now: later(ms) })) !== undefined
}

for (const [what, lastsMs, isGood] of [
  ['a session that is used', 7 * 24 * HOUR_MS, inUse],
  ['a session that nobody uses', 12 * HOUR_MS, unused],
  ['a confirmed password', 15 * MINUTE_MS, confirmed],
  ['a lock after five failures', 15 * MINUTE_MS, locked],
  ['the time between password and code', 5 * MINUTE_MS, halfSignedIn],
  ['a link to a new password', 30 * MINUTE_MS, resettable],
  ['an invitation', 72 * HOUR_MS, invited],
] as const) {
  test(`${what} lasts ${lastsMs / MINUTE_MS} minutes to the millisecond`, async () => {
    assert.equal(await isGood(await engine.openMigrated(), lastsMs - 1), true)
    assert.equal(await isGood(await engine.openMigrated(), lastsMs), false)
  })
}
