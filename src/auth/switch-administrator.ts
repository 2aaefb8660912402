import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { truncateLog } from '../db/truncate-log.ts'
import type { Outcome } from '../lib/outcome.ts'
import { countOtherUsable, deleteAdministrator, updateDisabled } from './administrator-store.ts'
import { deleteInvitationOf } from './invitations/invitation-store.ts'
import { deleteSessions } from './session-store.ts'

type SwitchOutcome = Outcome<undefined, never, 'last_one'>

/** Switches an account off and ends its sessions and its invitation; not the last one that can sign in. */
export function disableAdministrator(
  db: Kysely<Schema>,
  id: number,
  { now }: { now: Date },
): Promise<SwitchOutcome> {
  return unlessLast(db, id, async (trx) => {
    await updateDisabled(trx, id, now.toISOString())
    await deleteSessions(trx, id)
    await deleteInvitationOf(trx, id)
  })
}

export async function enableAdministrator(db: Db, id: number): Promise<SwitchOutcome> {
  await updateDisabled(db, id, null)
  return { kind: 'saved', value: undefined }
}

/** Removes an account with its sessions; forms that it changed last live on (§2.1), and so does its part of the log. */
export async function removeAdministrator(db: Kysely<Schema>, id: number): Promise<SwitchOutcome> {
  const outcome = await unlessLast(db, id, (trx) => deleteAdministrator(trx, id))
  await truncateLog(db)
  return outcome
}

function unlessLast(
  db: Kysely<Schema>,
  id: number,
  work: (trx: Db) => Promise<void>,
): Promise<SwitchOutcome> {
  return db.transaction().execute(async (trx) => {
    if ((await countOtherUsable(trx, id)) === 0) return { kind: 'refused', code: 'last_one' }
    await work(trx)
    return { kind: 'saved', value: undefined }
  })
}
