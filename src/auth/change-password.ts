import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Outcome } from '../lib/outcome.ts'
import type { AdminProblem } from '../messages/admin/problems.ts'
import type { Administrator } from './administrator.ts'
import { lockAdministrator, updatePassword } from './administrator-store.ts'
import { hashPassword } from './password-hash.ts'
import { findPasswordMistake } from './passwords/password-rules.ts'
import { deleteSessions, hasSession } from './session-store.ts'

/**
 * Sets a new password and ends the account's other sessions. Returns `ended` if the requesting session has
 * ended in the meantime, for example because of another password change.
 */
export async function changePassword(
  db: Kysely<Schema>,
  { id, email, name }: Administrator,
  { password, keptSessionId }: { password: string; keptSessionId: number },
): Promise<Outcome<undefined, AdminProblem, 'ended'>> {
  const problem = await findPasswordMistake(password, [email, name ?? ''])
  if (problem) return { kind: 'invalid', problems: [problem] }
  const passwordHash = await hashPassword(password)
  return db.transaction().execute(async (trx) => {
    await lockAdministrator(trx, id)
    if (!(await hasSession(trx, keptSessionId, { userId: id }))) return { kind: 'refused', code: 'ended' }
    await updatePassword(trx, id, passwordHash)
    await deleteSessions(trx, id, { except: keptSessionId })
    return { kind: 'saved', value: undefined }
  })
}
