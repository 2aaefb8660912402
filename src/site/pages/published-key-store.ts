import type { Db } from '../../db/schema.ts'

/**
 * Returns the key of the page at this address, or of the last one there; undefined if none was ever published there.
 */
export async function findPublishedKey(db: Db, path: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('published_addresses')
    .select('page_key')
    .where('path', '=', path)
    .executeTakeFirst()
  return row?.page_key
}
