import type { CompiledQuery } from 'kysely'
import type { Db } from '../../db/schema.ts'

/** The solved challenge of an accepted post, which must not be accepted again. */
export interface SpentChallenge {
  challenge: string
  expiresAt: Date
}

/** Statements that store challenges until they expire and return the ones that were unused. */
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
