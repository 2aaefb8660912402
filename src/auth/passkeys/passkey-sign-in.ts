import { sha256Hex } from '../../lib/canonical-json.ts'
import { accountActivity } from '../../messages/admin/activity.ts'
import { type Account, findAccountById } from '../administrator-store.ts'
import { appendAuditEntry } from '../audit/audit-chain.ts'
import { finishSignIn, type SignedIn, type SignInMeans, type SignInVisitor } from '../finish-sign-in.ts'
import { type TooManyFailures, tryWithinLimits } from '../sign-in-limits.ts'
import { hashToken, makeToken } from '../token.ts'
import { type CheckedPasskey, checkPasskey, credentialOf, prepareCheck } from './check-passkey.ts'
import { updateUse } from './passkey-store.ts'
import type { RelyingParty } from './relying-party.ts'

/**
 * Returns the options for signing in with any passkey of this site, and the ticket to post with the answer.
 * Undefined if too many requests from this address are open.
 */
export async function preparePasskeySignIn(
  { db }: Pick<SignInMeans, 'db'>,
  party: RelyingParty,
  { address }: { address: string },
  { now }: { now: Date },
) {
  const ticket = makeToken()
  const options = await prepareCheck(db, party, { holder: hashToken(ticket), address }, { now })
  return options && { ticket, options }
}

/**
 * Signs in with a passkey. Its device holds the key and has verified the user, which makes two factors, so no
 * code is needed.
 */
export async function signInWithPasskey(
  means: SignInMeans,
  party: RelyingParty,
  { ticket, response, visitor }: { ticket: string; response: string; visitor: SignInVisitor },
  { now }: { now: Date },
): Promise<SignedIn | { kind: 'refused' } | TooManyFailures> {
  const { db } = means
  let checked: CheckedPasskey | undefined
  // Counted separately: someone who learns a passkey's ID can't lock its user out of password sign-in.
  const limited = {
    account: `passkey ${sha256Hex(credentialOf(response) ?? '')}`,
    address: visitor.address,
  }
  const attempt = async () => {
    checked = await checkPasskey(db, party, { holder: hashToken(ticket), response }, { now })
    return checked !== undefined
  }
  const tried = await tryWithinLimits(db, limited, { now, attempt })
  if (tried.kind === 'too_many') return tried
  const account = checked && (await findAccountById(db, checked.passkey.userId))
  if (!checked || !account) return { kind: 'refused' }
  return finish(means, account, { checked, visitor, now })
}

async function finish(
  means: SignInMeans,
  account: Account,
  { checked, visitor, now }: { checked: CheckedPasskey; visitor: SignInVisitor; now: Date },
) {
  const { passkey, signCount } = checked
  let isCounted = true
  const finished = await finishSignIn(means, account, {
    ...{ visitor, secondFactor: 'passkey', now },
    spend: async (trx) => {
      isCounted = await updateUse(trx, passkey.id, { signCount, now })
      return isCounted
    },
  })
  if (!isCounted) {
    const { id, email } = account.administrator
    const entry = { userId: id, userEmail: email, subjectType: 'user', subjectId: id }
    const summary = accountActivity.passkeyCopied(passkey.name)
    await means.db
      .transaction()
      .execute((trx) =>
        appendAuditEntry(
          trx,
          { ...entry, action: 'user.passkey_refused', summary, address: visitor.address },
          { now },
        ),
      )
  }
  return finished
}
