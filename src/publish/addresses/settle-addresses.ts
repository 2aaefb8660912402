import type { Db } from '../../db/schema.ts'
import { linesOf } from '../plan/page-record.ts'
import { keyOfFormerLine, parseFormerLines } from '../release/former-lines.ts'
import { type Release, readPages, releaseFile } from '../release/release.ts'
import {
  hasSameMovedAddresses,
  isSameIn,
  keepMovedAddresses,
  writeMovedAddresses,
} from './moved-addresses.ts'
import { createPageAddresses } from './page-addresses.ts'
import type { PublishedAddress } from './published-address-store.ts'

const FORMER = 'former.tsv'

/**
 * Gives an unfinished release, whose pages are listed, the addresses that lead elsewhere. Where no page got or lost an
 * address they are those of the release before. `unrecorded` is what the database has to learn.
 */
export async function settleAddresses(
  db: Db,
  unfinished: Release,
  { before, isMoved }: { before: Release | undefined; isMoved: boolean },
): Promise<{ unrecorded: readonly PublishedAddress[]; isSame: boolean }> {
  if (before && !isMoved && (await isSameIn(before, unfinished, FORMER))) {
    await keepMovedAddresses(before, unfinished)
    return { unrecorded: [], isSame: true }
  }
  const addresses = createPageAddresses()
  const former = Map.groupBy(linesOf(releaseFile(unfinished, FORMER)), keyOfFormerLine)
  for (const { path, key } of readPages(unfinished))
    addresses.note({ path, key, ...parseFormerLines(former.get(key) ?? []) })
  const { moved, unrecorded } = await addresses.settle(db)
  await writeMovedAddresses(unfinished, moved)
  return { unrecorded, isSame: before !== undefined && (await hasSameMovedAddresses(before, unfinished)) }
}
