export const LONGEST_DELAY_MS = 24 * 60 * 60 * 1_000
const LEAST_FACTOR = 0.8
const FACTOR_RANGE = 0.4
const HTTP_DATE = /^(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?,? .*\d{2}:\d{2}:\d{2}/

export interface RetryMoment {
  now: Date
  /** From 0 to 1, such as `Math.random`. */
  random: () => number
  /** Delay that the receiver asked for; see `parseRetryAfter`. */
  retryAfterMs?: number | undefined
}

/**
 * Returns the time of the next attempt after attempt `attemptNumber` (from 1) failed: the delay at that position of
 * the schedule (the last one for all others) × 0.8–1.2, at least the receiver's Retry-After, at most 24 h (contract
 * §6).
 */
export function nextAttemptAt(
  scheduleMs: readonly number[],
  attemptNumber: number,
  { now, random, retryAfterMs = 0 }: RetryMoment,
): Date {
  const planned = scheduleMs[attemptNumber - 1] ?? scheduleMs.at(-1) ?? LONGEST_DELAY_MS
  const jittered = planned * (LEAST_FACTOR + FACTOR_RANGE * random())
  const delay = Math.min(Math.max(jittered, retryAfterMs), LONGEST_DELAY_MS)
  return new Date(now.getTime() + Math.round(delay))
}

/** `Retry-After` in milliseconds from now: seconds, or an HTTP date (RFC 9110 §10.2.3). Undefined when it is neither. */
export function parseRetryAfter(value: string | undefined, { now }: { now: Date }): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  if (!HTTP_DATE.test(text)) return undefined
  // The asctime form of the standard has no zone and means GMT too.
  const moment = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(moment) ? undefined : Math.max(moment - now.getTime(), 0)
}
