import type { Db } from '../../db/schema.ts'
import { shortHash } from '../../site/content/fingerprint.ts'
import { listFiles } from '../ledger/file-store.ts'
import type { Ledger } from '../ledger/ledger-store.ts'
import { listPages } from '../ledger/page-store.ts'
import { MOVED_FILES, movedFiles } from './moved-addresses.ts'
import { createPageAddresses } from './page-addresses.ts'
import type { PublishedAddress } from './published-address-store.ts'

/**
 * Updates the redirects in the ledger and the `files` that list them. `unrecorded` are the changes for the database.
 * `isSame`: the files are those of the previous release.
 */
export async function settleAddresses(
  db: Db,
  ledger: Ledger,
): Promise<{
  unrecorded: readonly PublishedAddress[]
  files: Map<string, string | Buffer>
  isSame: boolean
}> {
  const addresses = createPageAddresses()
  for (const { path, key, former } of listPages(ledger))
    addresses.note({ path, key, ...JSON.parse(former ?? '{}') })
  const { moved, unrecorded } = await addresses.settle(db)
  const files = movedFiles(moved)
  const before = new Map(listFiles(ledger).map(({ file, hash }) => [file, hash]))
  const isSame = MOVED_FILES.every((file) => before.get(file) === hashOf(files.get(file)))
  return { unrecorded, files, isSame }
}

function hashOf(text: string | Buffer | undefined): string | undefined {
  return text === undefined ? undefined : shortHash(text)
}
