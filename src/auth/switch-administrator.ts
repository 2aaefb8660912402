import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { truncateLog } from '../db/truncate-log.ts'
import type { Outcome } from '../lib/outcome.ts'
import { countOtherOwners, deleteAdministrator, updateDisabled } from './administrator-store.ts'
import { deleteLinkOf } from './password-links/password-link-store.ts'
import { manageUser } from './roles/managing.ts'
import { deleteSessions } from './session-store.ts'

type SwitchOutcome = Outcome<undefined, never, 'last_one'>

/** The account to change, and the user who changes it; no user for commands on the server. */
interface Switched {
  actorId: number | undefined
  userId: number
}

/** Disables an account and ends its sessions, invitation, and password reset. Refused for the last owner. */
export function disableAdministrator(
  db: Kysely<Schema>,
  who: Switched,
  { now }: { now: Date },
): Promise<SwitchOutcome> {
  return unlessLast(db, who, async (trx, id) => {
    await updateDisabled(trx, id, now.toISOString())
    await deleteSessions(trx, id)
    await deleteLinkOf(trx, 'admin_invitations', id)
    await deleteLinkOf(trx, 'admin_password_resets', id)
  })
}

export function enableAdministrator(db: Kysely<Schema>, who: Switched): Promise<SwitchOutcome> {
  return manageUser(db, who, async (trx) => {
    await updateDisabled(trx, who.userId, null)
    return { kind: 'saved', value: undefined }
  })
}

/** Deletes an account and its sessions. Forms that it changed last (§2.1) and its log entries stay. */
export async function removeAdministrator(db: Kysely<Schema>, who: Switched): Promise<SwitchOutcome> {
  const outcome = await unlessLast(db, who, deleteAdministrator)
  await truncateLog(db)
  return outcome
}

function unlessLast(
  db: Kysely<Schema>,
  who: Switched,
  work: (trx: Db, id: number) => Promise<void>,
): Promise<SwitchOutcome> {
  return manageUser<SwitchOutcome>(db, who, async (trx) => {
    if ((await countOtherOwners(trx, who.userId)) === 0) return { kind: 'refused', code: 'last_one' }
    await work(trx, who.userId)
    return { kind: 'saved', value: undefined }
  })
}
