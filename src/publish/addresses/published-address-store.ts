import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { chunksOf } from '../../lib/in-parts.ts'

const ROWS_PER_STATEMENT = 2_000
const ROWS_PER_BATCH = 10_000

/** An address, and the key of the page that has it or had it last. */
export interface PublishedAddress {
  path: string
  key: string
}

/** Yields every address ever published, sorted, in batches. */
export async function* streamPublishedAddresses(db: Db): AsyncGenerator<PublishedAddress[]> {
  const query = db
    .selectFrom('published_addresses')
    .select(['path', 'page_key as key'])
    .orderBy('path')
    .limit(ROWS_PER_BATCH)
  let rows = await query.execute()
  while (rows.length > 0) {
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_PER_BATCH) return
    rows = await query.where('path', '>', last.path).execute()
  }
}

/**
 * Stores the owners of these addresses. Uses many short transactions, because a long one would hold up submissions.
 */
export async function savePublishedAddresses(db: Db, addresses: readonly PublishedAddress[]): Promise<void> {
  for (const chunk of chunksOf(addresses, ROWS_PER_STATEMENT)) {
    await db
      .insertInto('published_addresses')
      .values(chunk.map(({ path, key }) => ({ path, page_key: key })))
      .onConflict((conflict) =>
        conflict.column('path').doUpdateSet({ page_key: sql.ref('excluded.page_key') }),
      )
      .execute()
  }
}
