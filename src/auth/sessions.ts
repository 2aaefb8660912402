import type { Db } from '../db/schema.ts'
import type { Session } from './session.ts'
import {
  deleteEndedSessions,
  findOpenSession,
  insertSession,
  type OpenSession,
  touchSession,
  updateToken,
} from './session-store.ts'
import { hashToken, makeToken } from './token.ts'

const MAX_USER_AGENT = 300
// Frequent enough for a 12-hour idle limit; writing on every page view would be too much.
const TOUCH_AFTER_MS = 60_000

/** Address and browser of a sign-in, shown in the list of sessions. */
export interface Visitor {
  address: string
  userAgent: string
}

/** Starts a session and returns its token. Only the token's SHA-256 is stored. */
export async function startSession(
  db: Db,
  userId: number,
  { address, userAgent }: Visitor,
  { now, secondFactor = null }: { now: Date; secondFactor?: Session['secondFactor'] },
): Promise<string> {
  const token = makeToken()
  await deleteEndedSessions(db, { now })
  const session = { userId, tokenSha256: hashToken(token), address, secondFactor }
  await insertSession(db, { ...session, userAgent: userAgent.slice(0, MAX_USER_AGENT) }, { now })
  return token
}

/** Replaces a session's token, for example after the password was confirmed. The old token stops working. */
export async function renewToken(db: Db, sessionId: number): Promise<string> {
  const token = makeToken()
  await updateToken(db, sessionId, hashToken(token))
  return token
}

/** Returns the session and user of a token; undefined if the session has ended or the account is disabled. */
export async function resumeSession(
  db: Db,
  token: string,
  { now }: { now: Date },
): Promise<OpenSession | undefined> {
  const found = await findOpenSession(db, hashToken(token), { now })
  // After the clock was set back, the time is in the future and would extend the session.
  if (found && Math.abs(now.getTime() - Date.parse(found.session.lastSeenAt)) > TOUCH_AFTER_MS) {
    await touchSession(db, found.session.id, { now })
  }
  return found
}
