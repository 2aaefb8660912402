import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Remembers that a sync of files changed what pages are made of, until it is published. */
export function noteSync(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(fileOf(dataDir), randomUUID())
}

/** Another text after each such sync of any process; undefined when what was synced is published. */
export function findUnpublishedSync(dataDir: string): string | undefined {
  try {
    return readFileSync(fileOf(dataDir), 'utf8')
  } catch (error) {
    // Looked for without opening it, it could be gone before it is read: another process publishes.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Says once of each such sync that it is there. */
export function watchSyncs(dataDir: string): () => boolean {
  let known: string | undefined
  return () => {
    const sync = findUnpublishedSync(dataDir)
    const isNew = sync !== undefined && sync !== known
    known = sync
    return isNew
  }
}

/** Forgets the sync that `findUnpublishedSync` found before the publish began; a later one is kept. */
export function forgetSync(dataDir: string, published: string | undefined): void {
  if (published !== undefined && findUnpublishedSync(dataDir) === published)
    rmSync(fileOf(dataDir), { force: true })
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'unpublished-sync')
}
