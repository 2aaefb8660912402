import type { Db } from '../db/schema.ts'
import { sha256Hex } from '../lib/canonical-json.ts'
import {
  deleteSignInFailure,
  deleteSignInFailuresOutside,
  insertSignInFailure,
  listSignInFailures,
} from './sign-in-failure-store.ts'

const WINDOW_MS = 15 * 60 * 1_000
const MOST_PER_ACCOUNT = 5
const MOST_PER_ADDRESS = 20

export interface TooManyFailures {
  kind: 'too_many'
  retryAfterSeconds: number
}

/**
 * Runs an attempt unless 5 attempts on this account or 20 from this address have failed within 15 minutes. An
 * attempt counts as failed while it runs, so parallel guesses gain nothing. Refused attempts don't count, so
 * nobody is locked out for longer than the window. `account` is the email address as typed, followed by the
 * token of a browser that has signed in to that account before.
 */
export async function tryWithinLimits(
  db: Db,
  { account, address }: { account: string; address: string },
  { now, attempt }: { now: Date; attempt: () => Promise<boolean> },
): Promise<{ kind: 'right' | 'wrong' } | TooManyFailures> {
  const accountHash = sha256Hex(account)
  const since = new Date(now.getTime() - WINDOW_MS).toISOString()
  await forgetFailures(db, { now })
  const id = await insertSignInFailure(db, { accountHash, address, failedAt: now.toISOString() })
  const { ofAccount, ofAddress } = await listSignInFailures(db, { accountHash, address }, { since })
  const freeAt = Math.max(whenFree(ofAccount, MOST_PER_ACCOUNT), whenFree(ofAddress, MOST_PER_ADDRESS))
  if (freeAt > now.getTime()) {
    await deleteSignInFailure(db, id)
    return { kind: 'too_many', retryAfterSeconds: Math.ceil((freeAt - now.getTime()) / 1_000) }
  }
  if (!(await attempt())) return { kind: 'wrong' }
  await deleteSignInFailure(db, id)
  return { kind: 'right' }
}

/** Deletes failures that no longer count, with their IP addresses. */
export function forgetFailures(db: Db, { now }: { now: Date }): Promise<void> {
  const timeAfter = (ms: number) => new Date(now.getTime() + ms).toISOString()
  // After the clock is set back, failures are in the future. They must not extend the lockout.
  return deleteSignInFailuresOutside(db, { since: timeAfter(-WINDOW_MS), until: timeAfter(WINDOW_MS) })
}

// The list includes the current attempt, which may run once enough of the oldest have left the window for
// `most` to remain.
function whenFree(failedAt: readonly string[], most: number): number {
  const last = failedAt[failedAt.length - most - 1]
  return last === undefined ? 0 : Date.parse(last) + WINDOW_MS
}
