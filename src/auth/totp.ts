import { Secret, TOTP } from 'otpauth'

const ISSUER = 'Signpost'
const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
// A clock may be half a minute off.
const WINDOW_STEPS = 1

/** A new secret for time-based codes (RFC 6238), in base32. */
export function makeTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** The `otpauth:` address that an app scans. */
export function totpAddress(secret: string, email: string): string {
  return totpOf(secret, email).toString()
}

/**
 * The time step of a right code, to be kept: none is good twice, so only steps after `lastStep` count. Undefined when
 * the code is wrong.
 */
export function findTotpStep(
  code: string,
  { secret, lastStep, now }: { secret: string; lastStep: number | null; now: Date },
): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const timestamp = now.getTime()
  const delta = totpOf(secret, '').validate({ token, timestamp, window: WINDOW_STEPS })
  if (delta === null) return undefined
  const step = Math.floor(timestamp / 1_000 / PERIOD_SECONDS) + delta
  return lastStep === null || step > lastStep ? step : undefined
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS })
}
