import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { enableAdministrator, findAccount, updatePassword } from './administrator-store.ts'
import { type CreateOutcome, createAdministrator } from './create-administrator.ts'
import { hashPassword } from './password-hash.ts'
import { deleteSessions } from './session-store.ts'

/**
 * Makes an account, or gives one that is there a new password: it is switched on and its sessions end. For who sits at
 * the machine.
 */
export async function setUpAccount(
  db: Kysely<Schema>,
  { email, password }: { email: string; password: string },
  { now }: { now: Date },
): Promise<Exclude<CreateOutcome, { kind: 'taken' }> | { kind: 'reset' }> {
  const created = await createAdministrator(db, { email, name: null, password }, { now })
  if (created.kind !== 'taken') return created
  const passwordHash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    const account = await findAccount(trx, email)
    if (!account) throw new Error(`The account of ${email} was removed just now; run the command again`)
    await updatePassword(trx, account.administrator.id, passwordHash)
    await enableAdministrator(trx, account.administrator.id)
    await deleteSessions(trx, account.administrator.id)
  })
  return { kind: 'reset' }
}
