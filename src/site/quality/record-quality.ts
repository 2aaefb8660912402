import type { Db } from '../../db/schema.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import type { PageQuality } from './page-quality.ts'
import { deleteQualityOfHidden, savePageQuality } from './page-quality-store.ts'

const PAGES_PER_TRANSACTION = 2_000

/**
 * Keeps the quality of these location pages for the admin, as a publish found it. After one of the whole site it forgets
 * that of entries which the site does not show at its moment.
 */
export async function recordQuality(
  db: Db,
  pages: Iterable<PageQuality>,
  { shownAt, isWhole }: { shownAt: Date; isWhole: boolean },
): Promise<void> {
  // Many short transactions: a long one would hold up submissions.
  for (const chunk of chunksOf(pages, PAGES_PER_TRANSACTION)) await savePageQuality(db, chunk)
  if (isWhole) await deleteQualityOfHidden(db, shownAt)
}
