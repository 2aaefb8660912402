import type { Db } from '../../db/schema.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import type { PageQuality } from './page-quality.ts'
import { deleteQualityOfHidden, savePageQuality } from './page-quality-store.ts'

const PAGES_PER_TRANSACTION = 2_000

/**
 * Stores the quality of these location pages for the admin. After a publish of the whole site, it deletes the
 * quality of entries that the site no longer shows.
 */
export async function recordQuality(
  db: Db,
  pages: Iterable<PageQuality>,
  { shownAt, isWhole }: { shownAt: Date; isWhole: boolean },
): Promise<void> {
  // Many short transactions, because a long one would hold up submissions.
  for (const chunk of chunksOf(pages, PAGES_PER_TRANSACTION)) await savePageQuality(db, chunk)
  if (isWhole) await deleteQualityOfHidden(db, shownAt)
}
