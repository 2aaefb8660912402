import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { openSecret, type SecretBox } from '../lib/secret-box.ts'
import { accountActivity } from '../messages/admin/activity.ts'
import { type Account, isStillUsable, updateLastSignIn } from './administrator-store.ts'
import { appendAuditEntry } from './audit/audit-chain.ts'
import type { Session } from './session.ts'
import { startSession, type Visitor } from './sessions.ts'

const DEVICE_PLACE = 'known browser'

/** The dependencies of a sign-in. */
export interface SignInMeans {
  db: Kysely<Schema>
  secretBox: SecretBox
}

/** The client that signs in, with the token that an earlier sign-in left in its browser. */
export interface SignInVisitor extends Visitor {
  device: string | undefined
}

export interface SignedIn {
  kind: 'signed_in'
  token: string
  device: string
}

interface Finishing {
  visitor: SignInVisitor
  secondFactor: Session['secondFactor']
  /** Uses up the proof of the second factor; returns false if it is no longer valid. */
  spend?: (trx: Db) => Promise<boolean>
  now: Date
}

/**
 * Starts a session for a checked account and logs the sign-in. The password or second factor may have changed
 * since the check, or the account may be disabled: then no session starts.
 */
export function finishSignIn(
  { db, secretBox }: SignInMeans,
  account: Account,
  { visitor, secondFactor, spend, now }: Finishing,
): Promise<SignedIn | { kind: 'refused' }> {
  const { id, email } = account.administrator
  return db.transaction().execute(async (trx) => {
    if (!(await isStillUsable(trx, account))) return { kind: 'refused' }
    if (spend && !(await spend(trx))) return { kind: 'refused' }
    await updateLastSignIn(trx, id, { now })
    const subject = { subjectType: 'user', subjectId: id }
    const entry = { userId: id, userEmail: email, ...subject, address: visitor.address }
    const summary = secondFactor === 'passkey' ? accountActivity.signedInByPasskey : accountActivity.signedIn
    await appendAuditEntry(trx, { ...entry, action: 'user.signed_in', summary }, { now })
    const token = await startSession(trx, id, visitor, { now, secondFactor })
    return { kind: 'signed_in', token, device: secretBox.seal(email, DEVICE_PLACE) }
  })
}

/**
 * The key under which an account's failures are counted. A browser that has signed in before has its own
 * count, so that someone guessing elsewhere can't lock the user out.
 */
export function accountKey(secretBox: SecretBox, email: string, device: string | undefined): string {
  return device !== undefined && openSecret(device, DEVICE_PLACE, { secretBox }) === email
    ? `${email} ${device}`
    : email
}
