import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { findAdministrator, lockAdministrator } from '../administrator-store.ts'
import { deleteSessions } from '../session-store.ts'
import { isTwoStepRequired } from '../two-factor-settings-store.ts'
import { deletePasskey, listPasskeys } from './passkey-store.ts'

interface Removing {
  userId: number
  passkeyId: number
  keptSessionId: number
  /** The host of the admin. Passkeys of a former host work no more. */
  host: string
}

/**
 * Removes a passkey of a user and ends all other sessions. Refused as `last_factor` where two-step sign-in is required and
 * nothing else of the user fulfills it.
 */
export function removePasskey(
  db: Kysely<Schema>,
  { userId, passkeyId, keptSessionId, host }: Removing,
): Promise<Outcome<undefined, never, 'last_factor'>> {
  return db.transaction().execute(async (trx) => {
    await lockAdministrator(trx, userId)
    const working = (await listPasskeys(trx, userId)).filter((one) => one.host === host)
    const isLast = working.length === 1 && working[0]?.id === passkeyId
    const isMissed = isLast && !(await findAdministrator(trx, userId))?.hasTwoFactors
    if (isMissed && (await isTwoStepRequired(trx))) return { kind: 'refused', code: 'last_factor' }
    if (!(await deletePasskey(trx, passkeyId, { userId }))) return { kind: 'not_found' }
    await deleteSessions(trx, userId, { except: keptSessionId })
    return { kind: 'saved', value: undefined }
  })
}
