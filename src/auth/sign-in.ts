import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Administrator } from './administrator.ts'
import { findAccount, findAdministrator, updateLastSignIn } from './administrator-store.ts'
import { insertAuditEntry } from './audit-store.ts'
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

/** Who asks, and the mark that an earlier sign-in left in this browser. */
export interface SignInVisitor extends Visitor {
  device: string | undefined
}

export type SignInOutcome =
  | { kind: 'signed_in'; token: string; device: string }
  /** The password was right: now the code, with this ticket, within 5 minutes. */
  | { kind: 'code_wanted'; ticket: string }
  | { kind: 'refused' }
  | TooManyFailures

/** Signs in with e-mail address and password. Known and unknown accounts take the same time. */
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
  const { administrator } = found
  if (administrator.hasTwoFactors)
    return { kind: 'code_wanted', ticket: makeTicket(secretBox, administrator, now) }
  return complete(means, administrator, { visitor, now })
}

/** The second step: a code of the app, or a recovery code. `refused` also when the ticket is too old. */
export async function signInWithCode(
  means: Means,
  { ticket, code, visitor }: { ticket: string; code: string; visitor: SignInVisitor },
  { now }: { now: Date },
): Promise<Exclude<SignInOutcome, { kind: 'code_wanted' }>> {
  const { db, secretBox } = means
  const userId = readTicket(secretBox, ticket, now)
  const administrator = userId === undefined ? undefined : await findAdministrator(db, userId)
  if (!administrator || administrator.disabledAt !== null) return { kind: 'refused' }
  const limited = {
    account: accountKey(secretBox, administrator.email, visitor.device),
    address: visitor.address,
  }
  const attempt = () => checkSecondFactor(means, administrator.id, code, { now })
  const tried = await tryWithinLimits(db, limited, { now, attempt })
  if (tried.kind === 'too_many') return tried
  return tried.kind === 'wrong' ? { kind: 'refused' } : complete(means, administrator, { visitor, now })
}

async function complete(
  { db, secretBox }: Means,
  { id, email }: Administrator,
  { visitor, now }: { visitor: SignInVisitor; now: Date },
): Promise<SignInOutcome & { kind: 'signed_in' }> {
  await updateLastSignIn(db, id, { now })
  const entry = { userId: id, userEmail: email, address: visitor.address }
  await insertAuditEntry(db, { ...entry, action: 'user.signed_in', summary: 'Signed in' }, { now })
  const token = await startSession(db, id, visitor, { now })
  return { kind: 'signed_in', token, device: secretBox.seal(email, DEVICE_PLACE) }
}

// Others who guess at an account must not lock out who owns it: a browser in which they signed in before counts its
// failures by itself.
function accountKey(secretBox: SecretBox, email: string, device: string | undefined): string {
  return device !== undefined && openOr(secretBox, device, DEVICE_PLACE) === email
    ? `${email} ${device}`
    : email
}

function makeTicket(secretBox: SecretBox, { id }: Administrator, now: Date): string {
  return secretBox.seal(`${id} ${now.getTime() + TICKET_MS}`, TICKET_PLACE)
}

function readTicket(secretBox: SecretBox, ticket: string, now: Date): number | undefined {
  const [id, expiresAt] = openOr(secretBox, ticket, TICKET_PLACE)?.split(' ').map(Number) ?? []
  return expiresAt !== undefined && expiresAt > now.getTime() ? id : undefined
}

// What a browser sends may be anything.
function openOr(secretBox: SecretBox, sealed: string, place: string): string | undefined {
  try {
    return secretBox.open(sealed, place)
  } catch {
    return undefined
  }
}
