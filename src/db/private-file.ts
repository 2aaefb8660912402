import { closeSync, openSync } from 'node:fs'

const OWNER_ONLY = 0o600

/**
 * Makes an empty file for its owner alone, unless there is one: SQLite would let everybody on the machine read it. Its
 * log has the mode of the file. What is wrong with the path is told by what opens it afterwards.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWNER_ONLY))
  } catch {}
}
