import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'

/** Returns the file that is locked while a release is made or switched: one at a time for each DATA_DIR. */
export function publishLock(dataDir: string): string {
  return join(dataDir, 'publish.lock')
}

/**
 * Names one copy of the site in the history: host and folder when it was first asked, kept in `DATA_DIR/machine`. Each
 * new container has another host name, and what was rolled back in the one before stays so. A copied DATA_DIR shares it.
 */
export function machineOf(dataDir: string): string {
  const file = join(dataDir, 'machine')
  if (!existsSync(file)) keepName(file, `${hostname()}:${resolve(dataDir)}`)
  return readFileSync(file, 'utf8').trim()
}

// Processes that do this at the same time write the same name, and none reads half of it.
function keepName(file: string, name: string) {
  const unfinished = `${file}.${randomUUID()}`
  writeFileSync(unfinished, `${name}\n`)
  renameSync(unfinished, file)
}
