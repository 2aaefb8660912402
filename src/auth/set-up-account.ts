import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { findAccount, updateDisabled, updatePassword } from './administrator-store.ts'
import { appendAuditEntry } from './audit/audit-chain.ts'
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
  if (created.kind === 'weak_password') return created
  if (created.kind === 'created') {
    await writeDown(db, { id: created.id, email, summary: 'Made an account on the command line' }, now)
    return created
  }
  const passwordHash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    const account = await findAccount(trx, email)
    if (!account) throw new Error(`The account of ${email} was removed just now; run the command again`)
    await updatePassword(trx, account.administrator.id, passwordHash)
    await updateDisabled(trx, account.administrator.id, null)
    await deleteSessions(trx, account.administrator.id)
    const { id } = account.administrator
    await writeDown(trx, { id, email, summary: 'Set a new password on the command line' }, now)
  })
  return { kind: 'reset' }
}

function writeDown(
  db: Db,
  { id, email, summary }: { id: number; email: string; summary: string },
  now: Date,
) {
  const subject = { subjectType: 'user', subjectId: id, address: 'this machine' }
  return appendAuditEntry(
    db,
    { userId: id, userEmail: email, action: 'user.set_up', summary, ...subject },
    { now },
  )
}
