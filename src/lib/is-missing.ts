import { statSync } from 'node:fs'

/** Returns whether nothing is at that path. False where this user may not look, because something may be there. */
export function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}
