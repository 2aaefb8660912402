import type { Selectable } from 'kysely'
import { engineOf } from '../db/dialects.ts'
import type { Db, Schema } from '../db/schema.ts'
import { fromRow, toRow } from '../db/tables/columns.ts'
import type { Administrator } from './administrator.ts'

type AdministratorRow = Selectable<Schema['admin_users']>

export async function hasAdministrators(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('admin_users')
    .select('id')
    .where('password_hash', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** All of them, by e-mail address. */
export async function listAdministrators(db: Db): Promise<Administrator[]> {
  const rows = await db.selectFrom('admin_users').selectAll().orderBy('email').execute()
  return rows.map(toAdministrator)
}

export async function findAdministrator(db: Db, id: number): Promise<Administrator | undefined> {
  const row = await db.selectFrom('admin_users').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toAdministrator(row)
}

/** What a sign-in checks against. */
export interface Account {
  administrator: Administrator
  passwordHash: string | null
  /** When two-step sign-in was switched on; null while it is off. */
  twoFactorsSince: string | null
}

export async function findAccount(db: Db, email: string): Promise<Account | undefined> {
  const row = await db.selectFrom('admin_users').selectAll().where('email', '=', email).executeTakeFirst()
  return (
    row && {
      administrator: toAdministrator(row),
      passwordHash: row.password_hash,
      twoFactorsSince: row.totp_confirmed_at,
    }
  )
}

/** The id of the new account; undefined when the address has one already. */
export async function insertAdministrator(
  db: Db,
  { now, ...values }: { email: string; name: string | null; passwordHash: string | null; now: Date },
): Promise<number | undefined> {
  const row = await db
    .insertInto('admin_users')
    .values(toRow({ ...values, createdAt: now.toISOString() }))
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Sets the password. An open invitation, and a key for two-step sign-in that was never confirmed, stop working. */
export async function updatePassword(db: Db, id: number, passwordHash: string): Promise<void> {
  const account = db.updateTable('admin_users').where('id', '=', id)
  await account.set({ password_hash: passwordHash }).execute()
  await db.deleteFrom('admin_invitations').where('user_id', '=', id).execute()
  // Someone with the old password may have seen the key.
  await account.set({ totp_secret: null }).where('totp_confirmed_at', 'is', null).execute()
}

/** Makes other changes of an account wait until this transaction ends. SQLite's write transactions wait anyway. */
export async function lockAdministrator(db: Db, id: number): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  await db.selectFrom('admin_users').select('id').where('id', '=', id).forUpdate().execute()
}

export async function updateName(db: Db, id: number, name: string | null): Promise<void> {
  await db.updateTable('admin_users').set({ name }).where('id', '=', id).execute()
}

export async function updateDisabled(db: Db, id: number, disabledAt: string | null): Promise<void> {
  await db.updateTable('admin_users').set({ disabled_at: disabledAt }).where('id', '=', id).execute()
}

/** How many others could sign in. Their rows stay as they are until the transaction ends. */
export async function countOtherUsable(db: Db, id: number): Promise<number> {
  const query = db
    .selectFrom('admin_users')
    .select('id')
    .where('password_hash', 'is not', null)
    .where('disabled_at', 'is', null)
    .orderBy('id')
  // Two administrators who switch each other off at the same moment must not both succeed.
  const rows = await (engineOf(db) === 'postgres' ? query.forUpdate() : query).execute()
  return rows.filter((row) => row.id !== id).length
}

export async function deleteAdministrator(db: Db, id: number): Promise<void> {
  await db.deleteFrom('admin_users').where('id', '=', id).execute()
}

export async function updateLastSignIn(db: Db, id: number, { now }: { now: Date }): Promise<void> {
  const columns = { last_signed_in_at: now.toISOString() }
  await db.updateTable('admin_users').set(columns).where('id', '=', id).execute()
}

/** Whether it still has this password and second factor and is on; its row stays so until the transaction ends. */
export async function isStillUsable(
  db: Db,
  { administrator, passwordHash, twoFactorsSince }: Account,
): Promise<boolean> {
  const query = db
    .selectFrom('admin_users')
    .select('id')
    .where('id', '=', administrator.id)
    .where('password_hash', '=', passwordHash)
    .where('totp_confirmed_at', 'is not distinct from', twoFactorsSince)
    .where('disabled_at', 'is', null)
  const row = await (engineOf(db) === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
  return row !== undefined
}

export function toAdministrator(row: AdministratorRow): Administrator {
  const { id, email, name, created_at, last_signed_in_at, disabled_at } = row
  return {
    ...fromRow({ id, email, name, created_at, last_signed_in_at, disabled_at }),
    isInvited: row.password_hash === null,
    hasTwoFactors: row.totp_confirmed_at !== null,
  }
}
