import { linkSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { TEMPORARY_ROOT } from './temporary-root.ts'

// Their names are derived from their content, so one drawing serves every test of the example site.
const DRAWN = join(TEMPORARY_ROOT, 'signpost-test-pictures')

/**
 * Gives a site the share pictures drawn for others, because drawing them takes longer than rendering all its pages.
 */
export function lendPictures(dataDir: string) {
  linkAll(DRAWN, join(dataDir, 'share-pictures', 'og'))
}

/** Keeps a site's share pictures for later sites. */
export function keepPictures(dataDir: string) {
  linkAll(join(dataDir, 'share-pictures', 'og'), DRAWN)
}

function linkAll(from: string, to: string) {
  mkdirSync(from, { recursive: true })
  mkdirSync(to, { recursive: true })
  const known = new Set(readdirSync(to))
  for (const name of readdirSync(from).filter((name) => name.endsWith('.png') && !known.has(name))) {
    try {
      linkSync(join(from, name), join(to, name))
    } catch (error) {
      // Test files run in parallel.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
