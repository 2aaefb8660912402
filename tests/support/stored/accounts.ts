import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { App } from '#src/app.ts'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { appendAuditEntry } from '#src/auth/audit/audit-chain.ts'
import { inviteUser } from '#src/auth/password-links/invitations.ts'
import { NO_LIMITS } from '#src/auth/roles/role.ts'
import { startSession } from '#src/auth/sessions.ts'
import { makeTotpSecret } from '#src/auth/totp.ts'
import type { Db } from '#src/db/schema.ts'
import { quickHash } from '../quick-hash.ts'

export const PASSWORD = 'correct horse battery'

export interface StoredAccount {
  id: number
  email: string
  /** The `cookie` header of the first session. */
  cookie: string
  sessionIds: number[]
  /** Two, or none without a second factor. */
  recoveryCodes: string[]
  /** The account's entry in the audit log. */
  entryId: number
}

/** An account with two sessions, an audit log entry, and by default a second factor. */
export async function storeAccount(
  app: App,
  name: string,
  { hasTwoFactors = true } = {},
): Promise<StoredAccount> {
  const { db } = app
  const now = new Date()
  const email = `${name}@example.com`
  const id = await insertAdministrator(db, { email, name, passwordHash: quickHash(PASSWORD), now })
  assert.ok(id, `${email} is new`)
  const recoveryCodes = hasTwoFactors ? await storeTwoFactors(app, id) : []
  const visitor = { address: '192.0.2.7', userAgent: 'Firefox' }
  const token = await startSession(db, id, visitor, { now })
  await startSession(db, id, visitor, { now })
  const entry = { userId: id, userEmail: email, address: visitor.address }
  await appendAuditEntry(db, { ...entry, action: 'user.signed_in', summary: 'Signed in' }, { now })
  const [entryId = 0] = await listIdsOf(db, 'audit_log', id)
  const sessionIds = await listIdsOf(db, 'admin_sessions', id)
  return { id, email, cookie: `signpost_session=${token}`, sessionIds, recoveryCodes, entryId }
}

// Inserts rows directly: the program's functions also delete what the account had before, and a bug in them could
// delete other accounts' rows unnoticed.
async function storeTwoFactors({ db, secretBox }: App, id: number): Promise<string[]> {
  const totp_secret = secretBox.seal(makeTotpSecret(), `admin_users.totp_secret.${id}`)
  const columns = { totp_secret, totp_confirmed_at: new Date().toISOString() }
  await db.updateTable('admin_users').set(columns).where('id', '=', id).execute()
  const codes = ['a', 'b'].map((digit) => `${digit.repeat(20)}${String(id).padStart(8, '0')}`)
  const rows = codes.map((code) => ({ user_id: id, code_sha256: sha256(code) }))
  await db.insertInto('admin_recovery_codes').values(rows).execute()
  return codes
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function listIdsOf(db: Db, table: 'admin_sessions' | 'audit_log', userId: number): Promise<number[]> {
  const rows = await db.selectFrom(table).select('id').where('user_id', '=', userId).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** A user who has not accepted the invitation yet. */
export async function storeInvited({ db }: App, name: string) {
  const email = `${name}@example.com`
  const access = { role: 'manager', limits: NO_LIMITS } as const
  const invited = await inviteUser(db, { email, name, access, actorId: undefined }, { now: new Date() })
  assert.ok(invited.kind === 'saved')
  return { ...invited.value, email }
}
