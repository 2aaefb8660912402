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
// Often enough for 12 idle hours; a write at each page view would be too much.
const TOUCH_AFTER_MS = 60_000

/** Address and browser of a sign-in, for the list of sessions. */
export interface Visitor {
  address: string
  userAgent: string
}

/** Starts a session and gives its token, which is stored nowhere: only its SHA-256 is. */
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

/** Replaces the token of a session, such as after its password was confirmed; the former token no longer works. */
export async function renewToken(db: Db, sessionId: number): Promise<string> {
  const token = makeToken()
  await updateToken(db, sessionId, hashToken(token))
  return token
}

/** Returns the session and user of a token; undefined when the session has ended or the account is off. */
export async function resumeSession(
  db: Db,
  token: string,
  { now }: { now: Date },
): Promise<OpenSession | undefined> {
  const found = await findOpenSession(db, hashToken(token), { now })
  // It may lie ahead when the clock was set back, and would then last for longer.
  if (found && Math.abs(now.getTime() - Date.parse(found.session.lastSeenAt)) > TOUCH_AFTER_MS) {
    await touchSession(db, found.session.id, { now })
  }
  return found
}
