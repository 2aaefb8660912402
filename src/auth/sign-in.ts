import type { Db } from '../db/schema.ts'
import { findAccount, updateLastSignIn } from './administrator-store.ts'
import { verifyPassword } from './password-hash.ts'
import { startSession, type Visitor } from './sessions.ts'

export type SignInOutcome = { kind: 'signed_in'; token: string } | { kind: 'refused' }

/** Signs in with e-mail address and password. Known and unknown accounts take the same time. */
export async function signIn(
  db: Db,
  { email, password, visitor }: { email: string; password: string; visitor: Visitor },
  { now }: { now: Date },
): Promise<SignInOutcome> {
  const account = await findAccount(db, email)
  const isRight = await verifyPassword(password, account?.passwordHash ?? null)
  if (!account || !isRight || account.administrator.disabledAt !== null) return { kind: 'refused' }
  const { id } = account.administrator
  await updateLastSignIn(db, id, { now })
  return { kind: 'signed_in', token: await startSession(db, id, visitor, { now }) }
}
