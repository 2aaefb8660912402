import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Remembers that a content sync changed what pages show, until that is published. */
export function noteSync(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(fileOf(dataDir), randomUUID())
}

/** Returns a text that changes with each such sync by any process; undefined once it is published. */
export function findUnpublishedSync(dataDir: string): string | undefined {
  try {
    return readFileSync(fileOf(dataDir), 'utf8')
  } catch (error) {
    // Reads without checking first: another process may publish and delete it in between.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Reports each such sync once. */
export function watchSyncs(dataDir: string): () => boolean {
  let known: string | undefined
  return () => {
    const sync = findUnpublishedSync(dataDir)
    const isNew = sync !== undefined && sync !== known
    known = sync
    return isNew
  }
}

/** Forgets the sync that `findUnpublishedSync` found before the publish started; a later one is kept. */
export function forgetSync(dataDir: string, published: string | undefined): void {
  if (published !== undefined && findUnpublishedSync(dataDir) === published)
    rmSync(fileOf(dataDir), { force: true })
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'unpublished-sync')
}
