import { z } from 'zod'

const DURATION_UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const LIMIT_UNITS = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const

const duration = z
  .string()
  .regex(/^\d+(ms|s|m|h|d)$/)
  .transform(toMilliseconds)

/** `WEBHOOK_TIMEOUT`, in milliseconds. No receiver is worth a slot for longer. */
export const attemptDeadline = duration
  .refine((ms) => ms >= 100 && ms <= 10 * DURATION_UNITS.m)
  .describe('a duration such as 500ms, 15s, or 2m, from 100ms to 10m')

/** `WEBHOOK_RETRY_SCHEDULE`, in milliseconds. */
export const durations = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(
    z
      .array(duration.refine((ms) => ms >= 100 && ms <= 30 * DURATION_UNITS.d))
      .min(1)
      .max(50),
  )
  .describe('durations separated by commas, such as 5s,5m,30m, each from 100ms to 30d')

/** `RATE_LIMIT`; empty for no limits. */
export const rateLimit = z
  .string()
  .transform((text) => (text === 'off' ? [] : text.split(',').map((part) => parseLimit(part.trim()))))
  .refine((limits) => limits.every((limit) => limit !== undefined))
  .transform((limits) => limits as { count: number; windowMs: number }[])
  .describe('limits such as 20/min,300/h (per s, min, h, or d), or off')

function toMilliseconds(text: string): number {
  const [, amount, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(text) as unknown as [
    string,
    string,
    keyof typeof DURATION_UNITS,
  ]
  return Number(amount) * DURATION_UNITS[unit]
}

function parseLimit(text: string) {
  const [, count, unit] = /^([1-9]\d{0,8})\/(s|min|h|d)$/.exec(text) ?? []
  if (!count || !unit) return undefined
  return { count: Number(count), windowMs: LIMIT_UNITS[unit as keyof typeof LIMIT_UNITS] }
}
