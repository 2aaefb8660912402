import type { Db } from '../../db/schema.ts'

export interface StoredChallenge {
  holder: string
  challenge: string
  address: string
  expiresAt: string
}

/** Stores a challenge in place of a former one of the same holder. */
export async function upsertChallenge(db: Db, stored: StoredChallenge): Promise<void> {
  const { holder, challenge, address, expiresAt } = stored
  const columns = { challenge, address, expires_at: expiresAt }
  await db
    .insertInto('passkey_challenges')
    .values({ holder, ...columns })
    .onConflict((conflict) => conflict.column('holder').doUpdateSet(columns))
    .execute()
}

/** Uses up the challenge of a holder and returns it; undefined when there is none that ends within this span. */
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

/** Deletes the challenges that end outside this span: those that expired, and those of a clock that was set back. */
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
