import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { openSecret, type SecretBox } from '../lib/secret-box.ts'
import { accountActivity } from '../messages/admin/activity.ts'
import { type Account, isStillUsable, updateLastSignIn } from './administrator-store.ts'
import { appendAuditEntry } from './audit/audit-chain.ts'
import type { Session } from './session.ts'
import { startSession, type Visitor } from './sessions.ts'

const DEVICE_PLACE = 'known browser'

/** The parts of the program that a sign-in needs. */
export interface SignInMeans {
  db: Kysely<Schema>
  secretBox: SecretBox
}

/** Client of a sign-in, with the mark that an earlier sign-in left in its browser. */
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
  /** Uses up what proved the second factor; false when it cannot be used. */
  spend?: (trx: Db) => Promise<boolean>
  now: Date
}

/**
 * Starts the session of a checked account and writes the sign-in down. Meanwhile the password or the second factor may have
 * changed, or the account may be off: no session that starts now may outlive what ended all the others.
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
 * The name under which failures of an account count. Others who guess at an account must not lock out who owns it: a browser
 * in which they signed in before counts its failures on its own.
 */
export function accountKey(secretBox: SecretBox, email: string, device: string | undefined): string {
  return device !== undefined && openSecret(device, DEVICE_PLACE, { secretBox }) === email
    ? `${email} ${device}`
    : email
}
