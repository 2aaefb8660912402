import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Administrator } from './administrator.ts'
import { updatePassword } from './administrator-store.ts'
import { hashPassword } from './password-hash.ts'
import { findPasswordMistake } from './passwords/password-rules.ts'
import { deleteSessions } from './session-store.ts'

/** Sets a new password and ends all other sessions of the account. What is wrong with the password comes back as a sentence. */
export async function changePassword(
  db: Kysely<Schema>,
  { id, email, name }: Administrator,
  { password, keptSessionId }: { password: string; keptSessionId: number },
): Promise<{ kind: 'changed' } | { kind: 'weak_password'; reason: string }> {
  const reason = await findPasswordMistake(password, [email, name ?? ''])
  if (reason) return { kind: 'weak_password', reason }
  const passwordHash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    await updatePassword(trx, id, passwordHash)
    await deleteSessions(trx, id, { except: keptSessionId })
  })
  return { kind: 'changed' }
}
