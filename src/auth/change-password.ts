import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Administrator } from './administrator.ts'
import { lockAdministrator, updatePassword } from './administrator-store.ts'
import { hashPassword } from './password-hash.ts'
import { findPasswordMistake } from './passwords/password-rules.ts'
import { deleteSessions, hasSession } from './session-store.ts'

/**
 * Sets a new password and ends all other sessions of the account. What is wrong with the password comes back as a sentence;
 * `ended` when the session that asks has ended meanwhile, such as by another new password.
 */
export async function changePassword(
  db: Kysely<Schema>,
  { id, email, name }: Administrator,
  { password, keptSessionId }: { password: string; keptSessionId: number },
): Promise<{ kind: 'changed' | 'ended' } | { kind: 'weak_password'; reason: string }> {
  const reason = await findPasswordMistake(password, [email, name ?? ''])
  if (reason) return { kind: 'weak_password', reason }
  const passwordHash = await hashPassword(password)
  return db.transaction().execute(async (trx) => {
    await lockAdministrator(trx, id)
    if (!(await hasSession(trx, keptSessionId, { userId: id }))) return { kind: 'ended' }
    await updatePassword(trx, id, passwordHash)
    await deleteSessions(trx, id, { except: keptSessionId })
    return { kind: 'changed' }
  })
}
