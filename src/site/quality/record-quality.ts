import type { Db } from '../../db/schema.ts'
import type { PageQuality } from './page-quality.ts'
import { replacePageQuality } from './page-quality-store.ts'

/** Keeps the quality of all location pages for the admin, as it was found by a publish. */
export async function recordQuality(db: Db, pages: readonly PageQuality[]): Promise<void> {
  await db.transaction().execute((trx) => replacePageQuality(trx, pages))
}
