import { statSync } from 'node:fs'
import { join } from 'node:path'
import { shortHash } from '../../site/content/fingerprint.ts'
import { type FileRecord, findFile, listFiles } from '../ledger/file-store.ts'
import { openKnownPages } from '../ledger/page-store.ts'
import type { Before } from '../plan/compare-site.ts'
import { pagePath } from './page-file.ts'
import type { Release } from './release.ts'
import { isIntact, type SiteFiles, type SiteWriter } from './site-writer.ts'

/** Updates a release's files other than pages. Files that the previous release already has stay. */
export interface SiteParts extends SiteFiles {
  /** Keeps a file as in the previous release. */
  carry(file: string): void
  remove(file: string): void
  /** Returns what the ledger must record. */
  finish(): { written: FileRecord[]; removed: string[]; copied: number }
}

/** With `isWhole`, `finish` deletes files that were neither written nor kept. */
export function createSiteParts(
  { siteDir }: Pick<Release, 'siteDir'>,
  { writer, before, isWhole }: { writer: SiteWriter; before: Before; isWhole: boolean },
): SiteParts {
  const { ledger } = before
  const seen = new Set<string>()
  const removed = new Set<string>()
  const written = new Map<string, FileRecord>()
  let copied = 0

  // A truncated file is written again.
  function isThere(file: string, hash: string): boolean {
    seen.add(file)
    const known = findFile(ledger, file)
    return written.has(file) || (known?.hash === hash && isKept(before, known))
  }

  function remove(file: string) {
    writer.remove(file)
    removed.add(file)
  }

  return {
    remove,
    write(file, bytes) {
      const hash = shortHash(bytes)
      if (isThere(file, hash)) return
      writer.write(file, bytes)
      written.set(file, { file, hash, size: Buffer.byteLength(bytes) })
    },
    keep(file, from) {
      if (isThere(file, '')) return 'linked'
      const outcome = writer.keep(file, from)
      if (outcome === 'copied') copied++
      written.set(file, { file, hash: '', size: statSync(join(siteDir, file)).size })
      return outcome
    },
    carry(file) {
      seen.add(file)
    },
    finish() {
      const left = isWhole ? listFiles(ledger).filter(({ file }) => !seen.has(file)) : []
      const pages = openKnownPages(ledger)
      // A page has taken over the address of a former file.
      for (const { file } of left)
        if (pages.find(pagePath(file))) removed.add(file)
        else remove(file)
      return { written: [...written.values()], removed: [...removed], copied }
    },
  }
}

/** Returns whether the previous release has all its files other than pages. */
export function hasWholeFiles(before: Before): boolean {
  return before.release !== undefined && listFiles(before.ledger).every((file) => isKept(before, file))
}

// A file whose name is derived from its content has no hash.
function isKept({ release, readsFiles }: Before, known: FileRecord): boolean {
  const hash = readsFiles ? known.hash : ''
  return release !== undefined && isIntact(release.siteDir, { ...known, hash })
}
