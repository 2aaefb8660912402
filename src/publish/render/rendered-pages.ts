import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../lib/messages.ts'
import { folderFailures } from '../../messages/server/publishing.ts'
import { shortHash } from '../../site/content/fingerprint.ts'
import { ledgerFile, openLedger } from '../ledger/ledger-store.ts'
import type { PageRecord } from '../ledger/page-record.ts'
import { openKnownPages } from '../ledger/page-store.ts'
import { pageFile } from '../release/page-file.ts'

/** The folder of a shard's pages. The ledger beside it contains their facts. */
export const SHARD_SITE = 'site'

/** Throws if a folder isn't a shard's. */
export function refuseNoShards(folders: readonly string[]): void {
  const wrong = folders.find((folder) => !existsSync(ledgerFile(folder)))
  if (wrong !== undefined) throw new Failure(folderFailures, 'noShard', wrong)
}

/** Pages rendered elsewhere. */
export type RenderedPages = ReturnType<typeof openShards>

/** Returns the pages in the folders of shards. */
export function openShards(folders: readonly string[]) {
  const shards = folders.map((folder) => ({
    siteDir: join(folder, SHARD_SITE),
    pages: openKnownPages(openLedger(ledgerFile(folder))),
  }))
  return {
    /** Returns the page's bytes and the components it shows, if its file is complete and has this fingerprint. */
    find(
      path: string,
      fingerprintOf: (page: PageRecord) => string | undefined,
    ): { html: Buffer; reads: string | null } | undefined {
      for (const { siteDir, pages } of shards) {
        const known = pages.find(path)
        if (!known || known.fingerprint !== fingerprintOf(known)) continue
        const bytes = readFileSync(join(siteDir, pageFile(path)))
        if (shortHash(bytes) === known.bytesHash) return { html: bytes, reads: known.reads }
      }
      return undefined
    },
  }
}
