import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import type { KeyRing } from '../lib/key-ring.ts'
import { readKeyFile } from './key-file.ts'
import { SECRET_KEY_BYTES } from './key-variable.ts'
import { makeSecretKey } from './make-secret-key.ts'

/**
 * The keys of a file, followed while the program runs: `npm run key:rotate` replaces it. Throws if it can't be read at
 * first; later, the last keys read stay valid, even if the file contains none of them: someone put another site's key
 * there, which the next start refuses.
 */
export function openFileRing(path: string): KeyRing {
  let seen = stampOf(path)
  let keys = readKeyFile(path)
  return () => {
    const stamp = stampOf(path)
    if (stamp === seen) return keys
    seen = stamp
    const found = readAgain(path)
    if (found.some((key) => keys.some((known) => known.equals(key)))) keys = found.map(keepKnown(keys))
    return keys
  }
}

/**
 * Creates a key that isn't on disk until it is kept: a program that can't start leaves none beside another key's
 * database.
 */
export function openNewRing(path: string): KeyRing {
  const unkept = [randomBytes(SECRET_KEY_BYTES)]
  let file: KeyRing | undefined
  const ring = () => {
    // Another program may have kept its own first.
    if (!file && existsSync(path)) file = openFileRing(path)
    return file?.() ?? unkept
  }
  return Object.assign(ring, { keep: () => makeSecretKey(path, unkept[0]) })
}

function stampOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.ino} ${found.size} ${found.mtimeNs}` : ''
}

function readAgain(path: string): Buffer[] {
  try {
    return readKeyFile(path)
  } catch {
    return []
  }
}

// The same object for the same key: derived keys are cached by it.
const keepKnown = (keys: readonly Buffer[]) => (key: Buffer) => keys.find((known) => known.equals(key)) ?? key
