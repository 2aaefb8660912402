import { Secret, TOTP } from 'otpauth'

const ISSUER = 'Signpost'
const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
// Tolerates clocks that are up to 30 seconds off.
const WINDOW_STEPS = 1

/** Makes a secret for time-based codes (RFC 6238), in base32. */
export function makeTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Returns the `otpauth:` URL that authenticator apps scan. */
export function totpAddress(secret: string, email: string): string {
  return totpOf(secret, email).toString()
}

/**
 * Returns the time step of a valid code; undefined if the code is wrong. Store the step: each code works
 * once, so only steps after `lastStep` are accepted.
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
