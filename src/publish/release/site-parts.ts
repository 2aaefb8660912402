import { statSync } from 'node:fs'
import { join } from 'node:path'
import { shortHash } from '../../site/content/fingerprint.ts'
import { type FileRecord, listFiles } from '../ledger/file-store.ts'
import type { Ledger } from '../ledger/ledger-store.ts'
import type { Before } from '../plan/compare-site.ts'
import type { Release } from './release.ts'
import { isIntact, type SiteFiles, type SiteWriter } from './site-writer.ts'

const CUT_SHORT = '?'

/** Updates the files of a release other than its pages. Files that the previous release has already stay. */
export interface SiteParts extends SiteFiles {
  /** Leaves a file as it is in the release before. */
  carry(file: string): void
  /** Removes the files that were neither written nor kept; gives what the ledger has to learn. */
  finish(): { written: FileRecord[]; removed: string[]; copied: number }
}

export function createSiteParts(
  { siteDir }: Pick<Release, 'siteDir'>,
  writer: SiteWriter,
  { ledger, release, facts }: Before,
): SiteParts {
  const left = new Map(facts && release ? listKnown(ledger, release) : [])
  const written = new Map<string, FileRecord>()
  let copied = 0

  function isThere(file: string, hash: string): boolean {
    const is = left.get(file)?.hash === hash
    left.delete(file)
    return is || written.has(file)
  }

  return {
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
      left.delete(file)
    },
    finish() {
      for (const file of left.keys()) writer.remove(file)
      return { written: [...written.values()], removed: [...left.keys()], copied }
    },
  }
}

// One that was cut short is made again.
function listKnown(ledger: Ledger, { siteDir }: Release): [string, FileRecord][] {
  return listFiles(ledger).map((one) => [
    one.file,
    isIntact(siteDir, one) ? one : { ...one, hash: CUT_SHORT },
  ])
}

/** Whether the previous release has all its files other than pages. */
export function hasWholeFiles({ ledger, release }: Before): boolean {
  return release !== undefined && listFiles(ledger).every((file) => isIntact(release.siteDir, file))
}
