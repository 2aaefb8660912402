import type { IncomingMessage } from 'node:http'
import type { Log } from '../../lib/log.ts'
import type { ClientAddress } from '../http/client-address.ts'
import { loggedPath } from './logged-path.ts'

/** Log of refusals, in the form that alerts and tools such as fail2ban read. */
export type RefusalCode =
  | 'sign_in_failed'
  | 'second_factor_failed'
  | 'password_check_failed'
  /** Too many failures of an account or an address. */
  | 'sign_in_limited'
  | 'setup_refused'
  | 'invitation_refused'
  | 'reset_refused'
  | 'not_signed_in'
  /** The route needs a password that was confirmed lately. */
  | 'password_stale'
  /** Two-step sign-in is required, and the user has not set it up. */
  | 'second_factor_missing'
  | 'forbidden'
  | 'host_refused'
  | 'origin_refused'
  /** A method, an address, or a body that no handler accepts. */
  | 'request_refused'
  | 'too_large'
  | 'post_limited'
  | 'upload_limited'

export interface RefusalLog {
  /** Doesn't name the account: someone may have typed a password there by mistake. */
  note(code: RefusalCode, request: IncomingMessage): void
}

/** Lines of one code within a minute; the next minute's line counts those left out. */
export const LINES_PER_MINUTE = 30

const MINUTE_MS = 60_000
const PATH_LENGTH = 200
// They also happen to users who do nothing wrong.
const ROUTINE: ReadonlySet<RefusalCode> = new Set([
  'not_signed_in',
  'password_stale',
  'second_factor_missing',
])

/** Logs refused requests in a limited number of lines, so that no attacker can fill the disk. */
export function createRefusalLog(
  log: Pick<Log, 'info' | 'warn'>,
  { clientOf, now }: { clientOf: ClientAddress; now: () => Date },
): RefusalLog {
  const windows = new Map<RefusalCode, { minute: number; lines: number }>()
  return {
    note(code, request) {
      const minute = Math.floor(now().getTime() / MINUTE_MS)
      const last = windows.get(code)
      const lines = last?.minute === minute ? last.lines + 1 : 1
      windows.set(code, { minute, lines })
      if (lines > LINES_PER_MINUTE) return
      const left = lines === 1 ? Math.max(0, (last?.lines ?? 0) - LINES_PER_MINUTE) : 0
      const path = loggedPath(request.url).slice(0, PATH_LENGTH).toWellFormed()
      const line = { code, client: clientOf(request), method: request.method, path }
      log[ROUTINE.has(code) ? 'info' : 'warn']({ ...line, ...(left > 0 && { leftOut: left }) }, 'refused')
    },
  }
}
