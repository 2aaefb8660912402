import type { CompiledQuery } from 'kysely'
import type { Db } from '../../db/schema.ts'

/** A solved challenge that a post was accepted with; it must not be taken a second time. */
export interface SpentChallenge {
  challenge: string
  expiresAt: Date
}

/** The statements that keep challenges until they expire. They return those that nobody had used before. */
export function challengeInserts(
  db: Db,
  challenges: readonly SpentChallenge[],
): CompiledQuery<{ challenge: string }>[] {
  if (challenges.length === 0) return []
  const rows = challenges.map(({ challenge, expiresAt }) => ({
    challenge,
    expires_at: expiresAt.toISOString(),
  }))
  const insert = db
    .insertInto('spent_challenges')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('challenge')
  return [insert.compile()]
}

export async function deleteExpiredChallenges(db: Db, { now }: { now: Date }): Promise<void> {
  await db.deleteFrom('spent_challenges').where('expires_at', '<', now.toISOString()).execute()
}
