import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncPathSync } from '../lib/sync-path.ts'
import { SECRET_KEY_BYTES } from './key-variable.ts'

const OWNER_ONLY = 0o600

/**
 * Writes the key unless there is one. It gets its name once it is complete and on disk: of two programs that start
 * together one creates it, and after a power cut its secrets can be decrypted.
 */
export function makeSecretKey(path: string, key: Uint8Array = randomBytes(SECRET_KEY_BYTES)): void {
  if (existsSync(path)) return
  const made = `${path}.${process.pid}`
  try {
    writeFileSync(made, `${Buffer.from(key).toString('base64')}\n`, { mode: OWNER_ONLY, flush: true })
    putInPlace(made, path)
  } finally {
    rmSync(made, { force: true })
  }
  syncPathSync(dirname(path))
}

function putInPlace(made: string, path: string) {
  try {
    linkSync(made, path)
  } catch (error) {
    // Another program was first. Any other failure is a disk without hard links.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(made, path)
  }
}
