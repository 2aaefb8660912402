import type { Db } from '../db/schema.ts'

/** The setting that requires two-step sign-in of everyone: required while its row is there. */
export const REQUIREMENT_KEY = 'two_step_sign_in_required'

/** The setting that holds the host of the admin, on which passkeys work. Those of a former host count for nothing. */
export const PASSKEY_HOST_KEY = 'passkey_host'

export async function isTwoStepRequired(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('settings')
    .select('key')
    .where('key', '=', REQUIREMENT_KEY)
    .executeTakeFirst()
  return row !== undefined
}

/** Requires two-step sign-in of everyone, or no longer. Returns whether that changed anything. */
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

/** Stores the host on which passkeys work now, as a JSON string; empty where browsers offer none. */
export async function updatePasskeyHost(db: Db, host: string): Promise<void> {
  const value_json = JSON.stringify(host)
  await db
    .insertInto('settings')
    .values({ key: PASSKEY_HOST_KEY, value_json })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value_json }))
    .execute()
}
