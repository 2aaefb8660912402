import type { Db } from '../db/schema.ts'

/** The setting that requires two-step sign-in for everyone. It is on while its row exists. */
export const REQUIREMENT_KEY = 'two_step_sign_in_required'

/** The setting that holds the admin's host, to which passkeys are bound. Passkeys for an earlier host are ignored. */
export const PASSKEY_HOST_KEY = 'passkey_host'

export async function isTwoStepRequired(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('settings')
    .select('key')
    .where('key', '=', REQUIREMENT_KEY)
    .executeTakeFirst()
  return row !== undefined
}

/** Requires two-step sign-in for everyone, or stops requiring it. Returns whether the setting changed. */
export async function updateTwoStepRequired(db: Db, isRequired: boolean): Promise<boolean> {
  if (!isRequired) {
    const { numDeletedRows } = await db
      .deleteFrom('settings')
      .where('key', '=', REQUIREMENT_KEY)
      .executeTakeFirst()
    return numDeletedRows > 0n
  }
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('settings')
    .values({ key: REQUIREMENT_KEY, value_json: 'true' })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Stores the current passkey host as a JSON string; empty where browsers don't support passkeys. */
export async function updatePasskeyHost(db: Db, host: string): Promise<void> {
  const value_json = JSON.stringify(host)
  const stored = await db
    .selectFrom('settings')
    .select('value_json')
    .where('key', '=', PASSKEY_HOST_KEY)
    .executeTakeFirst()
  if (stored?.value_json === value_json) return
  await db
    .insertInto('settings')
    .values({ key: PASSKEY_HOST_KEY, value_json })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value_json }))
    .execute()
}
