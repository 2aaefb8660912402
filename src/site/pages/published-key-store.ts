import type { Db } from '../../db/schema.ts'

/** The key of the page that has this address, or had it last; undefined when none was published there. */
export async function findPublishedKey(db: Db, path: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('published_addresses')
    .select('page_key')
    .where('path', '=', path)
    .executeTakeFirst()
  return row?.page_key
}
