import type { Db } from '../../db/schema.ts'

/** A solved challenge that a post was accepted with; it must not be taken a second time. */
export interface SpentChallenge {
  challenge: string
  expiresAt: Date
}

/** Keeps the challenges until they expire; returns those that nobody had used before. */
export async function spendChallenges(
  db: Db,
  challenges: readonly SpentChallenge[],
): Promise<ReadonlySet<string>> {
  if (challenges.length === 0) return new Set()
  const rows = await db
    .insertInto('spent_challenges')
    .values(
      challenges.map(({ challenge, expiresAt }) => ({ challenge, expires_at: expiresAt.toISOString() })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('challenge')
    .execute()
  return new Set(rows.map(({ challenge }) => challenge))
}

export async function deleteExpiredChallenges(db: Db, { now }: { now: Date }): Promise<void> {
  await db.deleteFrom('spent_challenges').where('expires_at', '<', now.toISOString()).execute()
}
