import type { Db } from '../db/schema.ts'
import type { Administrator } from './administrator.ts'
import { findAccount } from './administrator-store.ts'
import { verifyPassword } from './password-hash.ts'
import type { Session } from './session.ts'
import { updatePasswordChecked } from './session-store.ts'
import { type TooManyFailures, tryWithinLimits } from './sign-in-limits.ts'

/**
 * Returns whether the password is the signed-in user's; if so, this session isn't asked again for 15 minutes.
 * Failures count like failed sign-ins, but for this session only.
 */
export async function checkPasswordAgain(
  db: Db,
  {
    administrator,
    session,
    password,
    address,
  }: { administrator: Administrator; session: Session; password: string; address: string },
  { now }: { now: Date },
): Promise<{ kind: 'right' | 'wrong' } | TooManyFailures> {
  const account = await findAccount(db, administrator.email)
  const limited = { account: `${administrator.email} session ${session.id}`, address }
  const attempt = () => verifyPassword(password, account?.passwordHash ?? null)
  const tried = await tryWithinLimits(db, limited, { now, attempt })
  if (tried.kind === 'right') await updatePasswordChecked(db, session.id, { now })
  return tried
}
