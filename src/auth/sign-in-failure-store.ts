import type { Db } from '../db/schema.ts'

/** A sign-in attempt that failed or is still in progress. */
export interface SignInFailure {
  accountHash: string
  address: string
  failedAt: string
}

export async function insertSignInFailure(db: Db, failure: SignInFailure): Promise<number> {
  const row = await db
    .insertInto('sign_in_failures')
    .values({ account_sha256: failure.accountHash, address: failure.address, failed_at: failure.failedAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function deleteSignInFailure(db: Db, id: number): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('id', '=', id).execute()
}

/** Lists the times of failures since then, by account and by address, oldest first. */
export async function listSignInFailures(
  db: Db,
  { accountHash, address }: Pick<SignInFailure, 'accountHash' | 'address'>,
  { since }: { since: string },
): Promise<{ ofAccount: string[]; ofAddress: string[] }> {
  const recent = () =>
    db.selectFrom('sign_in_failures').select('failed_at').where('failed_at', '>', since).orderBy('failed_at')
  const ofAccount = await recent().where('account_sha256', '=', accountHash).execute()
  const ofAddress = await recent().where('address', '=', address).execute()
  return {
    ofAccount: ofAccount.map((row) => row.failed_at),
    ofAddress: ofAddress.map((row) => row.failed_at),
  }
}

export async function deleteSignInFailuresOutside(
  db: Db,
  { since, until }: { since: string; until: string },
): Promise<void> {
  await db
    .deleteFrom('sign_in_failures')
    .where((row) => row.or([row('failed_at', '<=', since), row('failed_at', '>', until)]))
    .execute()
}
