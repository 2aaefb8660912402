import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure } from '../lib/messages.ts'
import { syncPathSync } from '../lib/sync-path.ts'
import { keyTexts } from '../messages/command-line/keys.ts'
import { SECRET_KEY_BYTES } from './key-variable.ts'

const OWNER_ONLY = 0o600

/** The keys of `secret.key`, one per line, newest first: one, or two during a rotation. Throws if damaged. */
export function readKeyFile(path: string): Buffer[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  const keys = lines.filter((line) => line.trim() !== '').map((line) => Buffer.from(line, 'base64'))
  if (keys.length > 0 && keys.every((key) => key.length === SECRET_KEY_BYTES)) return keys
  throw new Failure(keyTexts, 'fileInvalid', path)
}

/** Replaces the whole file, which is on disk when this returns. Removes copies left by killed commands. */
export function writeKeyFile(path: string, keys: readonly Uint8Array[]): void {
  const made = `${path}.${process.pid}`
  try {
    const lines = keys.map((key) => `${Buffer.from(key).toString('base64')}\n`)
    writeFileSync(made, lines.join(''), { mode: OWNER_ONLY, flush: true })
    renameSync(made, path)
  } finally {
    rmSync(made, { force: true })
  }
  removeCopies(path)
  syncPathSync(dirname(path))
}

// Named by the process that made them. Someone deleting keys after a leak would not look for them.
function removeCopies(path: string) {
  const start = `${basename(path)}.`
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(start) && /^\d+$/.test(name.slice(start.length)))
      rmSync(join(dirname(path), name), { force: true })
}

/** Keeps replaced keys, which earlier backups need. */
export function formerKeysPath(dataDir: string): string {
  return join(dataDir, 'former.keys')
}

/** The replaced keys, newest first. */
export function readFormerKeys(dataDir: string): Buffer[] {
  const path = formerKeysPath(dataDir)
  return existsSync(path) ? readKeyFile(path) : []
}

/** Keeps a key for the backups that were made with it. */
export function keepFormerKey(dataDir: string, key: Uint8Array): void {
  const others = readFormerKeys(dataDir).filter((known) => !known.equals(key))
  writeKeyFile(formerKeysPath(dataDir), [key, ...others])
}
