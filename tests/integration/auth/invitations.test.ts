import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findAccount, insertAdministrator } from '#src/auth/administrator-store.ts'
import { listAuditEntries } from '#src/auth/audit/audit-store.ts'
import {
  acceptInvitation,
  findInvited,
  inviteUser,
  renewInvitation,
} from '#src/auth/password-links/invitations.ts'
import { findLinkEnd } from '#src/auth/password-links/password-link-store.ts'
import { NO_LIMITS } from '#src/auth/roles/role.ts'
import { resumeSession } from '#src/auth/sessions.ts'
import { setUpAccount } from '#src/auth/set-up-account.ts'
import {
  disableAdministrator,
  enableAdministrator,
  removeAdministrator,
} from '#src/auth/switch-administrator.ts'
import type { Db } from '#src/db/schema.ts'
import { sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { quickHash } from '../../support/quick-hash.ts'

const BOB = {
  ...{ email: 'bob@example.com', name: 'Bob Plimquat' },
  access: { role: 'manager', limits: NO_LIMITS },
  actorId: undefined,
} as const
const NOW = new Date('2026-11-22T10:00:00.000Z')
const PASSWORD = 'tangerine ladder fog'
const visitor = { address: '192.0.2.7', userAgent: 'Firefox' }
const later = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000)

async function invite(db: Parameters<typeof inviteUser>[0]) {
  const outcome = await inviteUser(db, BOB, { now: NOW })
  assert.ok(outcome.kind === 'saved')
  const accept = (token = outcome.value.token, { password = PASSWORD, now = NOW } = {}) =>
    acceptInvitation(db, { token, password, visitor }, { now })
  return { ...outcome.value, accept }
}

const addAnn = (db: Db) =>
  insertAdministrator(db, {
    email: 'ann@example.com',
    name: null,
    passwordHash: quickHash(PASSWORD),
    now: NOW,
  })

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: an invitation is accepted once, with a strong password, and stored as a hash only`, async () => {
    const db = await engine.openMigrated()
    const { id, token, accept } = await invite(db)
    const problem = { path: ['email'], code: 'email_taken' }
    assert.deepEqual(await inviteUser(db, BOB, { now: NOW }), { kind: 'invalid', problems: [problem] })
    const stored = await db.selectFrom('admin_invitations').selectAll().execute()
    assert.equal(stored.length, 1)
    assert.ok(!JSON.stringify(stored).includes(token))
    assert.equal((await findInvited(db, token, { now: NOW }))?.email, BOB.email)
    assert.equal(await findLinkEnd(db, 'admin_invitations', id), later(72).toISOString())
    assert.equal((await accept(undefined, { password: 'Plimquat20!6x' })).kind, 'invalid')
    assert.equal((await findAccount(db, BOB.email))?.passwordHash, null)

    const both = await Promise.all([accept(), accept()])
    assert.deepEqual(both.map(({ kind }) => kind).sort(), ['not_found', 'saved'])
    const accepted = both.find(({ kind }) => kind === 'saved')
    assert.ok(accepted?.kind === 'saved')
    const session = await resumeSession(db, accepted.value, { now: NOW })
    assert.deepEqual([session?.administrator.id, session?.administrator.isInvited], [id, false])
    assert.equal((await accept()).kind, 'not_found')
    assert.equal(await findLinkEnd(db, 'admin_invitations', id), undefined)
    const [entry] = await listAuditEntries(db, { limit: 1 })
    assert.deepEqual([entry?.action, entry?.userEmail], ['user.invitation_accepted', BOB.email])
    assert.deepEqual([entry?.subjectType, entry?.subjectId], ['user', String(id)])
  })

  test(`${engine.name}: an invitation expires after 72 hours, even if the clock is set back`, async () => {
    const db = await engine.openMigrated()
    const { token, accept } = await invite(db)
    assert.ok(await findInvited(db, token, { now: later(71.9) }))
    for (const hours of [72, 1_000, -1])
      assert.equal((await accept(token, { now: later(hours) })).kind, 'not_found', `${hours} h`)
  })

  test(`${engine.name}: a renewed, disabled, or removed invitation is refused`, async () => {
    const db = await engine.openMigrated()
    await addAnn(db)
    const { id, token, accept } = await invite(db)
    const renewed = await renewInvitation(db, id, { now: later(80) })
    assert.ok(renewed)
    assert.equal((await accept()).kind, 'not_found', 'the former link')
    assert.equal((await accept('')).kind, 'not_found')
    assert.ok(await findInvited(db, renewed, { now: later(100) }))
    await disableAdministrator(db, { actorId: undefined, userId: id }, { now: NOW })
    assert.equal((await accept(renewed, { now: later(80) })).kind, 'not_found', 'switched off')
    await enableAdministrator(db, { actorId: undefined, userId: id })
    assert.equal((await accept(renewed, { now: later(80) })).kind, 'not_found', 'switched on again')
    const third = await renewInvitation(db, id, { now: later(80) })
    assert.ok(third && (await findInvited(db, third, { now: later(80) })))
    await removeAdministrator(db, { actorId: undefined, userId: id })
    assert.equal((await accept(third, { now: later(80) })).kind, 'not_found', 'removed')
    assert.equal(await renewInvitation(db, id, { now: NOW }), undefined)
    assert.notEqual(renewed, token)
  })

  test(`${engine.name}: setting a password on the server ends the invitation`, async () => {
    const db = await engine.openMigrated()
    const { id, accept } = await invite(db)
    assert.deepEqual(await setUpAccount(db, { email: BOB.email, password: PASSWORD }, { now: NOW }), {
      kind: 'saved',
      value: 'reset',
    })
    assert.equal((await accept()).kind, 'not_found')
    assert.equal(await renewInvitation(db, id, { now: NOW }), undefined, 'who has a password is not invited')
  })
}
