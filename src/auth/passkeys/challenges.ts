import type { Db } from '../../db/schema.ts'
import { makeToken } from '../token.ts'
import {
  countChallenges,
  deleteChallengesOutside,
  takeChallenge,
  upsertChallenge,
} from './challenge-store.ts'

/** Time that a device has to sign a challenge. */
export const CHALLENGE_MS = 5 * 60 * 1_000

// Each page of the sign-in asks for one, and an office shares an address.
const MOST_PER_ADDRESS = 100

/**
 * Makes a challenge for one holder: a session and a purpose, or the hash of a browser's token. The former one of the holder
 * stops counting. Undefined when too many of this address are open, so that nobody fills the table.
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

/** Uses up the challenge of a holder; undefined when there is none, or it is older than 5 minutes. */
export function spendChallenge(db: Db, holder: string, { now }: { now: Date }): Promise<string | undefined> {
  return takeChallenge(db, holder, spanOf(now))
}

function spanOf(now: Date): { after: string; until: string } {
  return {
    after: now.toISOString(),
    until: new Date(now.getTime() + CHALLENGE_MS).toISOString(),
  }
}
