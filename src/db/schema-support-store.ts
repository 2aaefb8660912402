import packageFile from '#package.json' with { type: 'json' }
import type { Db } from './schema.ts'

/** Programs that work with the database: those with the last contracting migration. */
export interface SchemaSupport {
  /** The last contracting migration. */
  revision: string
  /** The version of the program that applied it. */
  version: string
  /** The last migration that this applies to. */
  latest: string
}

export async function findSchemaSupport(db: Db): Promise<SchemaSupport | undefined> {
  return db.selectFrom('schema_support').select(['revision', 'version', 'latest']).executeTakeFirst()
}

/** Records the last migration, and the last new one that contracts, if any. */
export async function saveSchemaSupport(
  db: Db,
  { latest, contracting }: { latest: string; contracting: string | undefined },
): Promise<void> {
  const needed = contracting && { revision: contracting, version: packageFile.version }
  await db
    .updateTable('schema_support')
    .set({ latest, ...needed })
    .execute()
}
