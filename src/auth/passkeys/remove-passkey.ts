import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { findAdministrator, lockAdministrator } from '../administrator-store.ts'
import { deleteSessions, hasSession } from '../session-store.ts'
import { isTwoStepRequired } from '../two-factor-settings-store.ts'
import { deletePasskey, listPasskeys } from './passkey-store.ts'

interface Removing {
  userId: number
  passkeyId: number
  keptSessionId: number
  /** The admin's host. Passkeys for an earlier host no longer work. */
  host: string
}

/**
 * Deletes a user's passkey and ends their other sessions. Returns `ended` if the session has ended in the meantime, and
 * `last_factor` if two-step sign-in is required and the user has no other second factor.
 */
export function removePasskey(
  db: Kysely<Schema>,
  { userId, passkeyId, keptSessionId, host }: Removing,
): Promise<Outcome<undefined, never, 'last_factor' | 'ended'>> {
  return db.transaction().execute(async (trx) => {
    await lockAdministrator(trx, userId)
    if (!(await hasSession(trx, keptSessionId, { userId }))) return { kind: 'refused', code: 'ended' }
    const working = (await listPasskeys(trx, userId)).filter((one) => one.host === host)
    const isLast = working.length === 1 && working[0]?.id === passkeyId
    const isMissed = isLast && !(await findAdministrator(trx, userId))?.hasTwoFactors
    if (isMissed && (await isTwoStepRequired(trx))) return { kind: 'refused', code: 'last_factor' }
    if (!(await deletePasskey(trx, passkeyId, { userId }))) return { kind: 'not_found' }
    await deleteSessions(trx, userId, { except: keptSessionId })
    return { kind: 'saved', value: undefined }
  })
}
