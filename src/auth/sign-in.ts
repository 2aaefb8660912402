import { sha256Hex } from '../lib/canonical-json.ts'
import { openSecret, type SecretBox } from '../lib/secret-box.ts'
import { type Account, findAccount } from './administrator-store.ts'
import {
  accountKey,
  finishSignIn,
  type SignedIn,
  type SignInMeans,
  type SignInVisitor,
} from './finish-sign-in.ts'
import { verifyPassword } from './password-hash.ts'
import { type TooManyFailures, tryWithinLimits } from './sign-in-limits.ts'
import { isTwoStepRequired } from './two-factor-settings-store.ts'
import { checkSecondFactor } from './two-factors.ts'

const TICKET_PLACE = 'sign-in ticket'
const TICKET_MS = 5 * 60 * 1_000

export type SignInOutcome =
  | SignedIn
  /** The password was right; next comes the code, with this ticket, within 5 minutes. */
  | { kind: 'code_wanted'; ticket: string }
  /** The password was right, but two-step sign-in is required and this account can satisfy it only with a passkey. */
  | { kind: 'passkey_wanted' }
  | { kind: 'refused' }
  | TooManyFailures

/** Signs in with email address and password. Known and unknown accounts take the same time. */
export async function signIn(
  means: SignInMeans,
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
  if (found.administrator.hasPasskeys && (await isTwoStepRequired(db))) return { kind: 'passkey_wanted' }
  return finishSignIn(means, found, { visitor, secondFactor: null, now })
}

/**
 * The second step: a six-digit code or a recovery code. Also `refused` if the ticket has expired, or if the
 * password or second factor has changed in the meantime.
 */
export async function signInWithCode(
  means: SignInMeans,
  { ticket, code, visitor }: { ticket: string; code: string; visitor: SignInVisitor },
  { now }: { now: Date },
): Promise<SignedIn | { kind: 'refused' } | TooManyFailures> {
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
  return tried.kind === 'wrong'
    ? { kind: 'refused' }
    : finishSignIn(means, found, { visitor, secondFactor: 'code', now })
}

function makeTicket(secretBox: SecretBox, account: Account, now: Date): string {
  const expiresAt = now.getTime() + TICKET_MS
  return secretBox.seal(`${expiresAt} ${digestOf(account)} ${account.administrator.email}`, TICKET_PLACE)
}

async function findTicketAccount(
  { db, secretBox }: SignInMeans,
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
