import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { z } from 'zod'
import { engineOf } from '../db/dialects.ts'
import type { Db, Schema } from '../db/schema.ts'
import { fromRow, toRow } from '../db/tables/columns.ts'
import { jsonColumn } from '../lib/json-column.ts'
import type { Administrator } from './administrator.ts'
import { type Limits, NO_LIMITS, type Role } from './roles/role.ts'
import { PASSKEY_HOST_KEY } from './two-factor-settings-store.ts'

type AdministratorRow = Selectable<Schema['admin_users']> & { has_passkeys: unknown }

const idsColumn = jsonColumn(z.array(z.int()))

/**
 * Selects `has_passkeys`, which `toAdministrator` expects: true if the user has a passkey for the admin's
 * current host. Passkeys for an earlier host no longer work, so users aren't asked for them.
 */
export function hasPasskeys({ exists, selectFrom }: ExpressionBuilder<WithUser, 'user'>) {
  const ofOtherHost = sql<boolean>`settings.value_json <> '"' || admin_passkeys.host || '"'`
  return exists(
    selectFrom('admin_passkeys')
      .select('id')
      .whereRef('user_id', '=', 'user.id')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(selectFrom('settings').select('key').where('key', '=', PASSKEY_HOST_KEY).where(ofOtherHost)),
        ),
      ),
  ).as('has_passkeys')
}

type WithUser = Schema & { user: Schema['admin_users'] }

function selectAdministrators(db: Db) {
  return db.selectFrom('admin_users as user').selectAll('user').select(hasPasskeys)
}

export async function hasAdministrators(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('admin_users')
    .select('id')
    .where('password_hash', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** All accounts, sorted by email address. */
export async function listAdministrators(db: Db): Promise<Administrator[]> {
  const rows = await selectAdministrators(db).orderBy('email').execute()
  return rows.map(toAdministrator)
}

export async function findAdministrator(db: Db, id: number): Promise<Administrator | undefined> {
  const row = await selectAdministrators(db).where('id', '=', id).executeTakeFirst()
  return row && toAdministrator(row)
}

/** The parts of an account that sign-in checks. */
export interface Account {
  administrator: Administrator
  passwordHash: string | null
  /** When two-step sign-in was turned on; null while it is off. */
  twoFactorsSince: string | null
}

export async function findAccount(db: Db, email: string): Promise<Account | undefined> {
  const row = await selectAdministrators(db).where('email', '=', email).executeTakeFirst()
  return row && toAccount(row)
}

export async function findAccountById(db: Db, id: number): Promise<Account | undefined> {
  const row = await selectAdministrators(db).where('id', '=', id).executeTakeFirst()
  return row && toAccount(row)
}

function toAccount(row: AdministratorRow): Account {
  return {
    administrator: toAdministrator(row),
    passwordHash: row.password_hash,
    twoFactorsSince: row.totp_confirmed_at,
  }
}

/** The columns of a new account. */
export interface NewAccount {
  email: string
  name: string | null
  passwordHash: string | null
  /** Defaults to owner, for the first account and accounts created on the command line. */
  role?: Role | undefined
  limits?: Limits | undefined
}

/** Inserts the account and returns its ID; undefined if the email address is taken. */
export async function insertAdministrator(
  db: Db,
  { role = 'owner', limits = NO_LIMITS, now, ...values }: NewAccount & { now: Date },
): Promise<number | undefined> {
  const row = await db
    .insertInto('admin_users')
    .values({ ...toRow({ ...values, createdAt: now.toISOString() }), role, ...toLimitColumns(limits) })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Sets the password and voids open invitations, password links, and unconfirmed authenticator secrets. */
export async function updatePassword(db: Db, id: number, passwordHash: string): Promise<void> {
  const account = db.updateTable('admin_users').where('id', '=', id)
  await account.set({ password_hash: passwordHash }).execute()
  await db.deleteFrom('admin_invitations').where('user_id', '=', id).execute()
  await db.deleteFrom('admin_password_resets').where('user_id', '=', id).execute()
  // Someone who knows the old password may have seen the secret.
  await account.set({ totp_secret: null }).where('totp_confirmed_at', 'is', null).execute()
}

/** Returns these accounts by ID and locks their rows until the transaction ends. */
export async function lockAdministrators(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, Administrator>> {
  const query = selectAdministrators(db).where('id', 'in', ids).orderBy('id')
  const rows = await (engineOf(db) === 'postgres' ? query.forUpdate() : query).execute()
  return new Map(rows.map((row) => [row.id, toAdministrator(row)]))
}

/** Blocks other changes to an account until this transaction ends. SQLite allows only one writer at a time anyway. */
export async function lockAdministrator(db: Db, id: number): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  await db.selectFrom('admin_users').select('id').where('id', '=', id).forUpdate().execute()
}

export async function updateName(db: Db, id: number, name: string | null): Promise<void> {
  await db.updateTable('admin_users').set({ name }).where('id', '=', id).execute()
}

/** Changes the role and limits of an account. */
export async function updateAccess(
  db: Db,
  id: number,
  { role, limits }: { role: Role; limits: Limits },
): Promise<void> {
  const columns = { role, ...toLimitColumns(limits) }
  await db.updateTable('admin_users').set(columns).where('id', '=', id).execute()
}

export async function updateDisabled(db: Db, id: number, disabledAt: string | null): Promise<void> {
  await db.updateTable('admin_users').set({ disabled_at: disabledAt }).where('id', '=', id).execute()
}

/** Counts the other owners who can sign in, and locks their rows until the transaction ends. */
export async function countOtherOwners(db: Db, id: number): Promise<number> {
  const query = db
    .selectFrom('admin_users')
    .select('id')
    .where('role', '=', 'owner')
    .where('place_limit_json', 'is', null)
    .where('form_limit_json', 'is', null)
    .where('password_hash', 'is not', null)
    .where('disabled_at', 'is', null)
    .orderBy('id')
  // Two owners who disable each other at the same moment must not both succeed.
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

/**
 * Returns whether the account is enabled and its password and second factor are unchanged; locks its row
 * until the transaction ends.
 */
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
    role: row.role,
    limits: { places: toIds(row.place_limit_json), forms: toIds(row.form_limit_json) },
    isInvited: row.password_hash === null,
    hasTwoFactors: row.totp_confirmed_at !== null,
    hasPasskeys: Boolean(row.has_passkeys),
  }
}

function toIds(json: string | null): number[] | null {
  return json === null ? null : idsColumn.decode(json)
}

function toLimitColumns({ places, forms }: Limits) {
  return {
    place_limit_json: places && JSON.stringify(places),
    form_limit_json: forms && JSON.stringify(forms),
  }
}
