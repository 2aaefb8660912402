import { hostname } from 'node:os'
import { join, resolve } from 'node:path'

/** The file whose lock is held while a release is made or switched: one at a time for each DATA_DIR. */
export function publishLock(dataDir: string): string {
  return join(dataDir, 'publish.lock')
}

/** Names one copy of the site in the history. */
export function machineOf(dataDir: string): string {
  return `${hostname()}:${resolve(dataDir)}`
}
