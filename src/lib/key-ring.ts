import { createSecretBox, type SecretBox } from './secret-box.ts'

/**
 * The keys of the site, newest first: the first one seals, all of them open. Read each time, because keys are replaced
 * while servers run.
 */
export interface KeyRing {
  (): readonly Uint8Array[]
  /** Writes a new key to disk, before a database becomes its own. Undefined for a ring whose keys can't be lost. */
  keep?(): void
}

/** A ring with fixed keys. */
export function fixedRing(...keys: Uint8Array[]): KeyRing {
  return () => keys
}

/** The key that seals. */
export function newestKey(ring: KeyRing): Uint8Array {
  const [newest] = ring()
  if (!newest) throw new Error('The key ring is empty')
  return newest
}

/** A secret box that seals with the newest key and opens with any. */
export function createRingBox(ring: KeyRing): SecretBox {
  return {
    seal: (text, place) => createSecretBox(newestKey(ring)).seal(text, place),
    open: (sealed, place) => openByAny(ring(), (key) => createSecretBox(key).open(sealed, place)),
    renew(sealed, place) {
      const [newest, ...former] = ring().map((key) => createSecretBox(key))
      if (!newest) throw new Error('The key ring is empty')
      return openByAny([newest, ...former], (box) =>
        box === newest ? box.renew(sealed, place) : newest.seal(box.open(sealed, place), place),
      )
    },
  }
}

function openByAny<Key, Result>(keys: readonly Key[], open: (key: Key) => Result): Result {
  let failure: unknown
  for (const key of keys) {
    try {
      return open(key)
    } catch (error) {
      failure ??= error
    }
  }
  throw failure ?? new Error('The key ring is empty')
}
