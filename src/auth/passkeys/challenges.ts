import type { Db } from '../../db/schema.ts'
import { makeToken } from '../token.ts'
import {
  countChallenges,
  deleteChallengesOutside,
  takeChallenge,
  upsertChallenge,
} from './challenge-store.ts'

/** Time a device has to sign a challenge. */
export const CHALLENGE_MS = 5 * 60 * 1_000

// Every view of the sign-in page requests one, and a whole office may share an address.
const MOST_PER_ADDRESS = 100

/**
 * Makes a challenge for a holder: a session and a purpose, or the hash of a browser's token. It replaces the
 * holder's previous one. Undefined if too many are open for this address, so that no one can fill the table.
 */
export async function makeChallenge(
  db: Db,
  { holder, address }: { holder: string; address: string },
  { now }: { now: Date },
): Promise<string | undefined> {
  await deleteChallengesOutside(db, spanOf(now))
  if ((await countChallenges(db, address)) >= MOST_PER_ADDRESS) return undefined
  const challenge = makeToken()
  await upsertChallenge(db, { holder, challenge, address, expiresAt: spanOf(now).until })
  return challenge
}

/** Uses up a holder's challenge; undefined if there is none or it is older than 5 minutes. */
export function spendChallenge(db: Db, holder: string, { now }: { now: Date }): Promise<string | undefined> {
  return takeChallenge(db, holder, spanOf(now))
}

function spanOf(now: Date): { after: string; until: string } {
  return {
    after: now.toISOString(),
    until: new Date(now.getTime() + CHALLENGE_MS).toISOString(),
  }
}
