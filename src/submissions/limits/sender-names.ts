import { createHmac, hkdfSync } from 'node:crypto'
import type { KeyRing } from '../../lib/key-ring.ts'

const DAY_MS = 86_400_000
const HASH_LENGTH = 22
const KEPT_HASHES = 10_000

/** A sender of posts to one form: a keyed hash of form, address, and day, never the address. */
export interface SenderNames {
  /** Current name. */
  current: string
  /** Names under which it may have posted before: yesterday's, and those made with other keys. */
  earlier: readonly string[]
}

/** Lists every name of a sender. */
export function namesOf({ current, earlier }: SenderNames): string[] {
  return [current, ...earlier]
}

/**
 * Names senders. Names change at midnight and with the key; posts under an earlier name count for another
 * `longestMs`.
 */
export function createSenderNames(secretKeys: KeyRing, { longestMs }: { longestMs: number }) {
  const hash = createAddressHash()

  return (formId: number, address: string, time: number): SenderNames => {
    const keys = secretKeys()
    const times = time % DAY_MS >= longestMs ? [time] : [time, time - DAY_MS]
    const [current = '', ...earlier] = times.flatMap((at) =>
      keys.map((key) => hash(key, `${Math.floor(at / DAY_MS)}/${formId}/${address}`)),
    )
    return { current, earlier }
  }
}

function createAddressHash() {
  const byKey = new WeakMap<Uint8Array, (text: string) => string>()
  return (secretKey: Uint8Array, text: string) => {
    const hash = byKey.get(secretKey) ?? createKeyedHash(secretKey)
    byKey.set(secretKey, hash)
    return hash(text)
  }
}

function createKeyedHash(secretKey: Uint8Array) {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'signpost post limits', 32))
  // A hash takes 10 µs, so the names of returning senders are cached.
  const known = new Map<string, string>()
  return (text: string) => {
    const hash =
      known.get(text) ?? createHmac('sha256', key).update(text).digest('base64url').slice(0, HASH_LENGTH)
    if (known.size >= KEPT_HASHES) known.clear()
    known.set(text, hash)
    return hash
  }
}
