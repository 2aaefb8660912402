import { hkdfSync } from 'node:crypto'
import { createChallenge, extractParams, verifySolution } from 'altcha-lib/v1'
import type { Challenge } from 'altcha-lib/v1/types'
import { z } from 'zod'
import { type KeyRing, newestKey } from '../../lib/key-ring.ts'
import type { SpentChallenge } from './spent-challenge-store.ts'

const EXPIRES_AFTER_MS = 30 * 60_000
/** A browser tries half of these on average, which takes 0.1 to 1 second. */
const MAX_NUMBER = 50_000
const MAX_LENGTH = 2_000

const payload = z.object({
  algorithm: z.literal('SHA-256'),
  challenge: z.string().regex(/^[0-9a-f]{64}$/),
  number: z.int().min(0).max(MAX_NUMBER),
  salt: z.string().max(500),
  signature: z.string().regex(/^[0-9a-f]{64}$/),
})

export interface ProofOfWork {
  /**
   * Issues a challenge for the form, valid for 30 minutes (ALTCHA v1): find `number` so that SHA-256(salt + number) =
   * challenge.
   */
  issue(formSlug: string): Promise<Challenge>
  /**
   * Returns the challenge that the post solved, or undefined. `solution` is base64 of
   * `{algorithm,challenge,number,salt,signature}`.
   */
  check(formSlug: string, solution: unknown): Promise<SpentChallenge | undefined>
}

/** Proof of work without third parties. Doesn't check whether a challenge was used before. */
export function createProofOfWork({
  secretKeys,
  now,
}: {
  secretKeys: KeyRing
  now: () => Date
}): ProofOfWork {
  return {
    issue(formSlug) {
      const expires = new Date(now().getTime() + EXPIRES_AFTER_MS)
      const hmacKey = deriveKey(newestKey(secretKeys))
      return createChallenge({ hmacKey, maxnumber: MAX_NUMBER, expires, params: { form: formSlug } })
    },
    async check(formSlug, solution) {
      const sent = readPayload(solution)
      if (!sent || !(await isOurs(sent, secretKeys))) return undefined
      const { form, expires } = extractParams(sent)
      const expiresAt = new Date(Number(expires) * 1_000)
      return form === formSlug && expiresAt > now() ? { challenge: sent.challenge, expiresAt } : undefined
    },
  }
}

function deriveKey(secretKey: Uint8Array): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'signpost proof of work', 32)).toString('hex')
}

async function isOurs(sent: z.output<typeof payload>, secretKeys: KeyRing): Promise<boolean> {
  for (const key of secretKeys()) if (await verifySolution(sent, deriveKey(key), false)) return true
  return false
}

function readPayload(solution: unknown) {
  if (typeof solution !== 'string' || solution.length > MAX_LENGTH) return undefined
  try {
    return payload.safeParse(JSON.parse(Buffer.from(solution, 'base64').toString('utf8'))).data
  } catch {
    return undefined
  }
}
