import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'

/** Returns the file to lock while a release is made or switched, one at a time per DATA_DIR. */
export function publishLock(dataDir: string): string {
  return join(dataDir, 'publish.lock')
}

/**
 * Returns this copy's name in the history: host and folder at the first call, kept in `DATA_DIR/machine`. New
 * containers have new host names, but a rollback made in an earlier container must stay in effect. A copied DATA_DIR
 * has the same name.
 */
export function machineOf(dataDir: string): string {
  const file = join(dataDir, 'machine')
  if (!existsSync(file)) keepName(file, `${hostname()}:${resolve(dataDir)}`)
  return readFileSync(file, 'utf8').trim()
}

// Processes that do this at the same time write the same name, and none reads a partial file.
function keepName(file: string, name: string) {
  const unfinished = `${file}.${randomUUID()}`
  writeFileSync(unfinished, `${name}\n`)
  renameSync(unfinished, file)
}
