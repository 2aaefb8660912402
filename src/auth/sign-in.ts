import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { sha256Hex } from '../lib/canonical-json.ts'
import { openSecret, type SecretBox } from '../lib/secret-box.ts'
import { accountActivity } from '../messages/admin/activity.ts'
import { type Account, findAccount, isStillUsable, updateLastSignIn } from './administrator-store.ts'
import { appendAuditEntry } from './audit/audit-chain.ts'
import { verifyPassword } from './password-hash.ts'
import { startSession, type Visitor } from './sessions.ts'
import { type TooManyFailures, tryWithinLimits } from './sign-in-limits.ts'
import { checkSecondFactor } from './two-factors.ts'

const TICKET_PLACE = 'sign-in ticket'
const DEVICE_PLACE = 'known browser'
const TICKET_MS = 5 * 60 * 1_000

interface Means {
  db: Kysely<Schema>
  secretBox: SecretBox
}

/** Client of a sign-in, with the mark that an earlier sign-in left in its browser. */
export interface SignInVisitor extends Visitor {
  device: string | undefined
}

export type SignInOutcome =
  | { kind: 'signed_in'; token: string; device: string }
  /** The password was right: now the code, with this ticket, within 5 minutes. */
  | { kind: 'code_wanted'; ticket: string }
  | { kind: 'refused' }
  | TooManyFailures

/** Signs in with email address and password. Known and unknown accounts take the same time. */
export async function signIn(
  means: Means,
  { email, password, visitor }: { email: string; password: string; visitor: SignInVisitor },
  { now }: { now: Date },
): Promise<SignInOutcome> {
  const { db, secretBox } = means
  const found = await findAccount(db, email)
  const limited = { account: accountKey(secretBox, email, visitor.device), address: visitor.address }
  const attempt = async () => {
    const isRight = await verifyPassword(password, found?.passwordHash ?? null)
    return isRight && found?.administrator.disabledAt === null
  }
  const tried = await tryWithinLimits(db, limited, { now, attempt })
  if (tried.kind === 'too_many') return tried
  if (tried.kind === 'wrong' || !found) return { kind: 'refused' }
  if (found.administrator.hasTwoFactors)
    return { kind: 'code_wanted', ticket: makeTicket(secretBox, found, now) }
  return complete(means, found, { visitor, now })
}

/**
 * The second step: a code of the authenticator app, or a recovery code. `refused` even when the ticket expired, or the
 * password or the second factor changed since.
 */
export async function signInWithCode(
  means: Means,
  { ticket, code, visitor }: { ticket: string; code: string; visitor: SignInVisitor },
  { now }: { now: Date },
): Promise<Exclude<SignInOutcome, { kind: 'code_wanted' }>> {
  const { db, secretBox } = means
  const found = await findTicketAccount(means, ticket, now)
  if (!found || found.administrator.disabledAt !== null) return { kind: 'refused' }
  const { administrator } = found
  const limited = {
    account: accountKey(secretBox, administrator.email, visitor.device),
    address: visitor.address,
  }
  const attempt = () => checkSecondFactor(means, administrator.id, code, { now })
  const tried = await tryWithinLimits(db, limited, { now, attempt })
  if (tried.kind === 'too_many') return tried
  return tried.kind === 'wrong' ? { kind: 'refused' } : complete(means, found, { visitor, now })
}

// Meanwhile the password or the second factor may have changed, or the account may be off: no session that starts now
// may outlive what ended all the others.
function complete(
  { db, secretBox }: Means,
  account: Account,
  { visitor, now }: { visitor: SignInVisitor; now: Date },
): Promise<Extract<SignInOutcome, { kind: 'signed_in' | 'refused' }>> {
  const { id, email } = account.administrator
  return db.transaction().execute(async (trx) => {
    if (!(await isStillUsable(trx, account))) return { kind: 'refused' }
    await updateLastSignIn(trx, id, { now })
    const subject = { subjectType: 'user', subjectId: id }
    const entry = { userId: id, userEmail: email, ...subject, address: visitor.address }
    await appendAuditEntry(
      trx,
      { ...entry, action: 'user.signed_in', summary: accountActivity.signedIn },
      { now },
    )
    const token = await startSession(trx, id, visitor, { now })
    return { kind: 'signed_in', token, device: secretBox.seal(email, DEVICE_PLACE) }
  })
}

// Others who guess at an account must not lock out who owns it: a browser in which they signed in before counts its
// failures on its own.
function accountKey(secretBox: SecretBox, email: string, device: string | undefined): string {
  return device !== undefined && openSecret(device, DEVICE_PLACE, { secretBox }) === email
    ? `${email} ${device}`
    : email
}

function makeTicket(secretBox: SecretBox, account: Account, now: Date): string {
  const expiresAt = now.getTime() + TICKET_MS
  return secretBox.seal(`${expiresAt} ${digestOf(account)} ${account.administrator.email}`, TICKET_PLACE)
}

async function findTicketAccount(
  { db, secretBox }: Means,
  ticket: string,
  now: Date,
): Promise<Account | undefined> {
  const opened = openSecret(ticket, TICKET_PLACE, { secretBox }) ?? ''
  const [, expiresAt, digest, email = ''] = /^(\d+) (\w+) (.+)$/s.exec(opened) ?? []
  if (!(Number(expiresAt) > now.getTime())) return undefined
  const account = await findAccount(db, email)
  return account && digestOf(account) === digest ? account : undefined
}

function digestOf({ passwordHash, twoFactorsSince }: Account): string {
  return sha256Hex(`${passwordHash} ${twoFactorsSince}`)
}
