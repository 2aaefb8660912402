import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shortHash } from '../../site/content/fingerprint.ts'
import { indexPages } from '../plan/page-index.ts'
import { readRecords } from '../plan/page-record.ts'
import { pageFile } from '../release/page-file.ts'

/** Where a shard's folder has the list of its pages, and the pages. */
export const SHARD_PAGES = 'pages.tsv'
export const SHARD_SITE = 'site'

/** Throws for a folder that is none of a shard. */
export function refuseNoShards(folders: readonly string[]): void {
  const wrong = folders.find((folder) => !existsSync(join(folder, SHARD_PAGES)))
  if (wrong !== undefined) throw new Error(`${wrong} has no pages of a part; name a folder that --shard made`)
}

/** Pages that were rendered elsewhere. */
export type RenderedPages = ReturnType<typeof openShards>

/** The pages in the folders of shards. */
export function openShards(folders: readonly string[]) {
  const shards = folders.map((folder) => ({
    siteDir: join(folder, SHARD_SITE),
    index: indexPages(readRecords(join(folder, SHARD_PAGES))),
  }))
  return {
    /** The page's bytes, when they are there whole and of this fingerprint. */
    find(path: string, fingerprint: string): Buffer | undefined {
      for (const { siteDir, index } of shards) {
        const known = index.find(path)
        if (!known?.hasFingerprint(fingerprint)) continue
        const bytes = readFileSync(join(siteDir, pageFile(path)))
        if (shortHash(bytes) === known.bytesHash) return bytes
      }
      return undefined
    },
  }
}
