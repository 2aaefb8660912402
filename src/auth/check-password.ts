import type { Db } from '../db/schema.ts'
import type { Administrator } from './administrator.ts'
import { findAccount } from './administrator-store.ts'
import { verifyPassword } from './password-hash.ts'
import type { Session } from './session.ts'
import { updatePasswordChecked } from './session-store.ts'

/** Whether it is the administrator's password; if so, this session is not asked again for 15 minutes. */
export async function checkPasswordAgain(
  db: Db,
  { administrator, session, password }: { administrator: Administrator; session: Session; password: string },
  { now }: { now: Date },
): Promise<boolean> {
  const account = await findAccount(db, administrator.email)
  if (!account || !(await verifyPassword(password, account.passwordHash))) return false
  await updatePasswordChecked(db, session.id, { now })
  return true
}
