import { readFileSync, statSync } from 'node:fs'

const SETTLED_MS = 2_000

/**
 * Returns a function that derives a value from a file's bytes and keeps it until the file changes, because reading is
 * most of the work. It returns undefined for a folder or a missing file.
 */
export function derivedFromFile<Value>(
  derive: (bytes: Buffer) => Value,
): (path: string) => Value | undefined {
  // Each value with the file's state on disk.
  const values = new Map<string, { state: string; value: Value }>()
  return (path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found?.isFile()) return undefined
    const state = `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`
    const known = values.get(path)
    if (known?.state === state) return known.value
    const value = derive(readFileSync(path))
    // A file changed twice within one tick of the disk's clock keeps its times.
    if (Date.now() - found.ctimeMs > SETTLED_MS) values.set(path, { state, value })
    return value
  }
}
