import type { Db } from '../../db/schema.ts'

export interface StoredChallenge {
  holder: string
  challenge: string
  address: string
  expiresAt: string
}

/** Stores a challenge and replaces the holder's previous one. */
export async function upsertChallenge(db: Db, stored: StoredChallenge): Promise<void> {
  const { holder, challenge, address, expiresAt } = stored
  const columns = { challenge, address, expires_at: expiresAt }
  await db
    .insertInto('passkey_challenges')
    .values({ holder, ...columns })
    .onConflict((conflict) => conflict.column('holder').doUpdateSet(columns))
    .execute()
}

/** Uses up a holder's challenge and returns it; undefined if none expires within this span. */
export async function takeChallenge(
  db: Db,
  holder: string,
  { after, until }: { after: string; until: string },
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('passkey_challenges')
    .where('holder', '=', holder)
    .returning(['challenge', 'expires_at'])
    .executeTakeFirst()
  return row && row.expires_at > after && row.expires_at <= until ? row.challenge : undefined
}

/** Deletes challenges that expire outside this span: expired ones, and ones from a clock that was set back. */
export async function deleteChallengesOutside(
  db: Db,
  { after, until }: { after: string; until: string },
): Promise<void> {
  await db
    .deleteFrom('passkey_challenges')
    .where((row) => row.or([row('expires_at', '<=', after), row('expires_at', '>', until)]))
    .execute()
}

export async function countChallenges(db: Db, address: string): Promise<number> {
  const { count } = await db
    .selectFrom('passkey_challenges')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('address', '=', address)
    .executeTakeFirstOrThrow()
  return Number(count)
}
