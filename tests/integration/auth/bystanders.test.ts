import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import {
  insertAdministrator,
  listAdministrators,
  updateLastSignIn,
  updateName,
} from '#src/auth/administrator-store.ts'
import { createAdministrator } from '#src/auth/create-administrator.ts'
import { deleteEndedSessions, deleteEverySession } from '#src/auth/session-store.ts'
import { renewToken, resumeSession, startSession } from '#src/auth/sessions.ts'
import { setUpAccount } from '#src/auth/set-up-account.ts'
import { createSetup } from '#src/auth/setup.ts'
import { deleteSignInFailuresOutside } from '#src/auth/sign-in-failure-store.ts'
import { insertTotpSecret, listTotpSecrets, replaceSealedTotp } from '#src/auth/two-factor-store.ts'
import type { Schema } from '#src/db/schema.ts'
import { openTestDatabase } from '../../support/database.ts'
import { quickHash } from '../../support/quick-hash.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const VISITOR = { address: '192.0.2.1', userAgent: 'test' }
const HASH = quickHash('correct horse battery')

async function anAccount(db: Kysely<Schema>, email: string): Promise<number> {
  const id = await insertAdministrator(db, { email, name: null, passwordHash: HASH, now: NOW })
  assert.ok(id)
  return id
}

// Bob's row comes first, as what forgets its condition often meets the first row.
async function openWithTwoAccounts(t: Parameters<typeof openTestDatabase>[0]) {
  const db = await openTestDatabase(t)
  const bob = await anAccount(db, 'bob@example.com')
  return { db, bob, ann: await anAccount(db, 'ann@example.com') }
}

test('the setup link works with the code of the last start until an account exists', async (t) => {
  const db = await openTestDatabase(t)
  const [former, setup] = [createSetup(db), createSetup(db)]
  const [otherCode = '', code = ''] = [await former.findCode(), await setup.findCode()]
  assert.match(code, /^[\w-]{32}$/)
  const opens = (...codes: (string | null)[]) => Promise.all(codes.map((given) => setup.isOpenFor(given)))
  assert.deepEqual(await opens(code, otherCode, code.slice(1), '', null), [true, false, false, false, false])

  await anAccount(db, 'ann@example.com')
  assert.deepEqual(await opens(code, otherCode, null), [false, false, false])
  assert.equal(await setup.findCode(), undefined)
})

test('administrators are listed by email, and names and sign-ins change one account only', async (t) => {
  const { db, ann } = await openWithTwoAccounts(t)
  await updateName(db, ann, 'Ann')
  await updateLastSignIn(db, ann, { now: NOW })
  const shown = ({ email, name, lastSignedInAt }: Awaited<ReturnType<typeof listAdministrators>>[number]) => [
    email,
    name,
    lastSignedInAt,
  ]
  assert.deepEqual((await listAdministrators(db)).map(shown), [
    ['ann@example.com', 'Ann', NOW.toISOString()],
    ['bob@example.com', null, null],
  ])
})

test('renewing a session’s token invalidates the former one and leaves other sessions alone', async (t) => {
  const { db, ann, bob } = await openWithTwoAccounts(t)
  const bobs = await startSession(db, bob, VISITOR, { now: NOW })
  const former = await startSession(db, ann, VISITOR, { now: NOW })
  const opened = async (token: string) => (await resumeSession(db, token, { now: NOW }))?.administrator.id
  const session = (await resumeSession(db, former, { now: NOW }))?.session
  assert.ok(session)
  const renewed = await renewToken(db, session.id)
  assert.deepEqual([await opened(renewed), await opened(former), await opened(bobs)], [ann, undefined, bob])

  await deleteEverySession(db, { except: session.id })
  assert.deepEqual([await opened(renewed), await opened(bobs)], [ann, undefined])
})

test('only ended sessions are removed', async (t) => {
  const { db, ann, bob } = await openWithTwoAccounts(t)
  const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000).toISOString()
  const insert = (user_id: number, [created, seen]: [number, number]) => {
    const times = {
      created_at: hoursAgo(created),
      last_seen_at: hoursAgo(seen),
      password_checked_at: hoursAgo(created),
    }
    const row = {
      user_id,
      token_sha256: `${created} ${seen}`,
      ...times,
      address: '192.0.2.1',
      user_agent: 'test',
    }
    return db.insertInto('admin_sessions').values(row).execute()
  }
  for (const hours of [
    [168, 0],
    [24, 12],
    [167, 11],
  ] as [number, number][])
    await insert(ann, hours)
  await insert(bob, [24, 11])
  await deleteEndedSessions(db, { now: NOW })
  const left = await db.selectFrom('admin_sessions').select('token_sha256').orderBy('id').execute()
  assert.deepEqual(
    left.map((row) => row.token_sha256),
    ['167 11', '24 11'],
  )
})

test('a session stores 300 characters of the user agent and updates its last use after a minute', async (t) => {
  const { db, ann } = await openWithTwoAccounts(t)
  const visitor = { address: '192.0.2.1', userAgent: 'x'.repeat(301) }
  const token = await startSession(db, ann, visitor, { now: NOW })
  const rowAfter = async (ms: number) => {
    await resumeSession(db, token, { now: new Date(NOW.getTime() + ms) })
    return db.selectFrom('admin_sessions').selectAll().executeTakeFirstOrThrow()
  }
  assert.equal((await rowAfter(0)).user_agent.length, 300)
  assert.equal((await rowAfter(60_000)).last_seen_at, NOW.toISOString())
  assert.equal((await rowAfter(60_001)).last_seen_at, new Date(NOW.getTime() + 60_001).toISOString())
})

test('expired sign-in failures are removed', async (t) => {
  const db = await openTestDatabase(t)
  const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000).toISOString()
  for (const minutes of [-15, -14, 15, 16])
    await db
      .insertInto('sign_in_failures')
      .values({ failed_at: at(minutes), account_sha256: 'account', address: '192.0.2.1' })
      .execute()
  await deleteSignInFailuresOutside(db, { since: at(-15), until: at(15) })
  const left = await db.selectFrom('sign_in_failures').select('failed_at').orderBy('failed_at').execute()
  assert.deepEqual(left, [{ failed_at: at(-14) }, { failed_at: at(15) }])
})

test('a re-encrypted secret replaces only its original', async (t) => {
  const { db, ann, bob } = await openWithTwoAccounts(t)
  await anAccount(db, 'without@example.com')
  for (const id of [ann, bob]) await insertTotpSecret(db, id, 'sealed')
  await replaceSealedTotp(db, ann, { former: 'sealed', now: 'anew' })
  await replaceSealedTotp(db, bob, { former: 'replaced meanwhile', now: 'anew' })
  assert.deepEqual(await listTotpSecrets(db), [
    { userId: bob, sealedSecret: 'sealed' },
    { userId: ann, sealedSecret: 'anew' },
  ])
})

test('an account created on the server needs a strong password and is in the audit log', async (t) => {
  const db = await openTestDatabase(t)
  const setUp = (password: string) => setUpAccount(db, { email: 'ann@example.com', password }, { now: NOW })
  assert.equal((await setUp('password')).kind, 'invalid')
  assert.deepEqual(await listAdministrators(db), [])
  await anAccount(db, 'bob@example.com')
  const bob = { email: 'bob@example.com', name: null, password: 'a long unusual phrase 47' }
  const taken = { path: ['email'], code: 'email_taken' }
  assert.deepEqual(await createAdministrator(db, bob, { now: NOW }), { kind: 'invalid', problems: [taken] })

  const created = await setUp('a long unusual phrase 47')
  assert.deepEqual(created, { kind: 'saved', value: 'created' })
  const [account] = await listAdministrators(db)
  assert.equal(account?.email, 'ann@example.com')
  const entries = await db.selectFrom('audit_log').selectAll().execute()
  assert.deepEqual(
    entries.map(({ action, subject_type, subject_id, user_email, address }) => [
      ...[action, subject_type, Number(subject_id)],
      ...[user_email, address],
    ]),
    [['user.set_up', 'user', account?.id, 'ann@example.com', 'this machine']],
  )
})
