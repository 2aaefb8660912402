import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Db, Schema } from '../../db/schema.ts'
import { jsonColumn } from '../../lib/json-column.ts'
import type { StoredPasskey } from './passkey.ts'

const transportsColumn = jsonColumn(z.array(z.string()))

/** A user's passkeys, oldest first. */
export async function listPasskeys(db: Db, userId: number): Promise<StoredPasskey[]> {
  const rows = await db
    .selectFrom('admin_passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(toPasskey)
}

export async function findPasskey(db: Db, credentialId: string): Promise<StoredPasskey | undefined> {
  const row = await db
    .selectFrom('admin_passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  return row && toPasskey(row)
}

/** The columns of a new passkey. */
export type NewPasskey = Omit<StoredPasskey, 'id' | 'lastUsedAt'> & { signCount: number }

/** Returns the ID of the new passkey; undefined if the credential is already stored. */
export async function insertPasskey(db: Db, passkey: NewPasskey): Promise<number | undefined> {
  const row = await db
    .insertInto('admin_passkeys')
    .values({
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      sign_count: passkey.signCount,
      transports_json: transportsColumn.encode(passkey.transports),
      host: passkey.host,
      name: passkey.name,
      created_at: passkey.createdAt,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/**
 * Records a use. Returns false if the passkey is gone or its counter didn't increase, which means the key was
 * copied (WebAuthn §6.1.1). Devices without a counter always send 0.
 */
export async function updateUse(
  db: Db,
  id: number,
  { signCount, now }: { signCount: number; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('admin_passkeys')
    .set({ sign_count: signCount, last_used_at: now.toISOString() })
    .where('id', '=', id)
    .where('sign_count', signCount === 0 ? '=' : '<', signCount)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns whether that user had this passkey. */
export async function deletePasskey(db: Db, id: number, { userId }: { userId: number }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('admin_passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deletePasskeys(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('admin_passkeys').where('user_id', '=', userId).execute()
}

/** Returns the user's WebAuthn ID; undefined before the first passkey. */
export async function findPasskeyUserId(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('admin_users')
    .select('passkey_user_id')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.passkey_user_id ?? undefined
}

/** Sets the user's WebAuthn ID unless there is one. */
export async function setPasskeyUserId(db: Db, userId: number, name: string): Promise<void> {
  await db
    .updateTable('admin_users')
    .set({ passkey_user_id: name })
    .where('id', '=', userId)
    .where('passkey_user_id', 'is', null)
    .execute()
}

function toPasskey(row: Selectable<Schema['admin_passkeys']>): StoredPasskey {
  return {
    id: row.id,
    userId: row.user_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    transports: transportsColumn.decode(row.transports_json),
    host: row.host,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}
