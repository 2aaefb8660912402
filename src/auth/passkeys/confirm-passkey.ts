import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { Administrator } from '../administrator.ts'
import type { Session } from '../session.ts'
import { updatePasswordChecked } from '../session-store.ts'
import { type TooManyFailures, tryWithinLimits } from '../sign-in-limits.ts'
import { checkPasskey, prepareCheck } from './check-passkey.ts'
import { listPasskeys, updateUse } from './passkey-store.ts'
import type { RelyingParty } from './relying-party.ts'

const holderOf = ({ id }: Pick<Session, 'id'>) => `session ${id} confirms`

/** The user who confirms, with their session and address. */
interface Confirming {
  administrator: Administrator
  session: Session
  address: string
}

/** Returns the options to confirm with one of the user's passkeys; undefined if too many requests are open. */
export async function prepareConfirmation(
  db: Kysely<Schema>,
  party: RelyingParty,
  { administrator, session, address }: Confirming,
  { now }: { now: Date },
) {
  const allowed = await listPasskeys(db, administrator.id)
  return prepareCheck(db, party, { holder: holderOf(session), address, allowed }, { now })
}

/**
 * Returns whether a passkey of this user confirms this session in place of the password, for 15 minutes.
 * Failures count like wrong passwords.
 */
export async function confirmWithPasskey(
  db: Kysely<Schema>,
  party: RelyingParty,
  { administrator, session, address, response }: Confirming & { response: string },
  { now }: { now: Date },
): Promise<{ kind: 'right' | 'wrong' } | TooManyFailures> {
  const limited = { account: `${administrator.email} session ${session.id}`, address }
  const attempt = async () => {
    const checked = await checkPasskey(db, party, { holder: holderOf(session), response }, { now })
    if (checked?.passkey.userId !== administrator.id) return false
    return updateUse(db, checked.passkey.id, { signCount: checked.signCount, now })
  }
  const tried = await tryWithinLimits(db, limited, { now, attempt })
  if (tried.kind === 'right') await updatePasswordChecked(db, session.id, { now })
  return tried
}
