import assert from 'node:assert/strict'
import type { App } from '../../../src/app.ts'
import { findAdministrator, insertAdministrator } from '../../../src/auth/administrator-store.ts'
import { appendAuditEntry } from '../../../src/auth/audit/audit-chain.ts'
import { inviteUser } from '../../../src/auth/invitations/invitations.ts'
import { startSession } from '../../../src/auth/sessions.ts'
import { confirmTotp } from '../../../src/auth/two-factor-store.ts'
import { prepareTwoFactors, renewRecoveryCodes } from '../../../src/auth/two-factors.ts'
import { quickHash } from '../quick-hash.ts'

export const PASSWORD = 'correct horse battery'

export interface StoredAccount {
  id: number
  email: string
  /** The `cookie` header of the first session. */
  cookie: string
  sessionIds: number[]
  recoveryCodes: string[]
  /** The entry of the audit log that the account wrote. */
  entryId: number
}

/** An account with two sessions, an entry in the audit log and, unless told otherwise, ten recovery codes. */
export async function storeAccount(
  { db, secretBox }: App,
  name: string,
  { hasTwoFactors = true } = {},
): Promise<StoredAccount> {
  const now = new Date()
  const email = `${name}@example.com`
  const id = await insertAdministrator(db, { email, name, passwordHash: quickHash(PASSWORD), now })
  assert.ok(id, `${email} is new`)
  let recoveryCodes: string[] = []
  if (hasTwoFactors) {
    const user = await findAdministrator(db, id)
    assert.ok(user)
    await prepareTwoFactors({ db, secretBox }, user)
    await confirmTotp(db, id, { now })
    recoveryCodes = await renewRecoveryCodes(db, id)
  }
  const tokens = [await startSession(db, id, visitor('Firefox'), { now })]
  tokens.push(await startSession(db, id, visitor('Chrome'), { now }))
  const entry = { userId: id, userEmail: email, address: '192.0.2.7' }
  await appendAuditEntry(db, { ...entry, action: 'user.signed_in', summary: 'Signed in' }, { now })
  const sessions = await db
    .selectFrom('admin_sessions')
    .select('id')
    .where('user_id', '=', id)
    .orderBy('id')
    .execute()
  const entries = await db.selectFrom('audit_log').select('id').where('user_id', '=', id).execute()
  return {
    ...{ id, email, recoveryCodes, cookie: `signpost_session=${tokens[0]}` },
    ...{ sessionIds: sessions.map((session) => session.id), entryId: entries[0]?.id as number },
  }
}

const visitor = (userAgent: string) => ({ address: '192.0.2.7', userAgent })

/** A user who has not accepted the invitation yet. */
export async function storeInvited({ db }: App, name: string) {
  const email = `${name}@example.com`
  const invited = await inviteUser(db, { email, name }, { now: new Date() })
  assert.ok(invited.kind === 'invited')
  return { ...invited, email }
}
