import { closeSync, fchownSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o600

/**
 * Creates an empty file that only its owner can read, unless it exists: SQLite would make it world-readable. Its WAL
 * file gets the same mode and owner. Root creates it for the folder's owner, whose server opens the file later.
 * Problems with the path are reported by whatever opens the file next.
 */
export function makePrivateFile(path: string): void {
  try {
    const file = openSync(path, 'wx', OWNER_ONLY)
    if (process.geteuid?.() === 0) giveToOwnerOf(dirname(path), file)
    closeSync(file)
  } catch {}
}

function giveToOwnerOf(folder: string, file: number) {
  const { uid, gid } = statSync(folder)
  if (uid !== 0) fchownSync(file, uid, gid)
}
