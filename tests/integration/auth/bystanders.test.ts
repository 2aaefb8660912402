import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import {
  findAdministrator,
  insertAdministrator,
  listAdministrators,
  updateLastSignIn,
  updateName,
} from '../../../src/auth/administrator-store.ts'
import { deleteEverySession } from '../../../src/auth/session-store.ts'
import { renewToken, resumeSession, startSession } from '../../../src/auth/sessions.ts'
import { setUpAccount } from '../../../src/auth/set-up-account.ts'
import { createSetup } from '../../../src/auth/setup.ts'
import { insertTotpSecret, listTotpSecrets, replaceSealedTotp } from '../../../src/auth/two-factor-store.ts'
import type { Schema } from '../../../src/db/schema.ts'
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

test('the link of the first account opens with its code, until there is an account', async (t) => {
  const db = await openTestDatabase(t)
  const [setup, other] = [createSetup(db), createSetup(db)]
  const [code = '', otherCode = ''] = [await setup.findCode(), await other.findCode()]
  assert.match(code, /^[\w-]{32}$/)
  const opens = (...codes: (string | null)[]) => Promise.all(codes.map((given) => setup.isOpenFor(given)))
  assert.deepEqual(await opens(code, otherCode, code.slice(1), '', null), [true, false, false, false, false])

  await anAccount(db, 'ann@example.com')
  assert.deepEqual(await opens(code, otherCode, null), [false, false, false])
  assert.equal(await setup.findCode(), undefined)
})

test('administrators are listed by email, and a name and a sign-in belong to one of them', async (t) => {
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

test('a session with a new token does not open with the former one, and others stay', async (t) => {
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

test('a secret sealed anew replaces only the one it was made from', async (t) => {
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

test('an account set up on the machine needs a good password, and the audit log names it', async (t) => {
  const db = await openTestDatabase(t)
  const setUp = (password: string) => setUpAccount(db, { email: 'ann@example.com', password }, { now: NOW })
  assert.equal((await setUp('password')).kind, 'weak_password')
  assert.deepEqual(await listAdministrators(db), [])

  const created = await setUp('a long unusual phrase 47')
  assert.ok(created.kind === 'created')
  assert.equal((await findAdministrator(db, created.id))?.email, 'ann@example.com')
  const entries = await db.selectFrom('audit_log').selectAll().execute()
  assert.deepEqual(
    entries.map(({ action, subject_type, subject_id, user_email, address }) => [
      ...[action, subject_type, Number(subject_id)],
      ...[user_email, address],
    ]),
    [['user.set_up', 'user', created.id, 'ann@example.com', 'this machine']],
  )
})
