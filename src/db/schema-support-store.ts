import packageFile from '#package.json' with { type: 'json' }
import type { Db } from './schema.ts'

/** Programs that work with the database: those that know the last migration that took something away. */
export interface SchemaSupport {
  /** The last migration that took something away. */
  revision: string
  /** The version of the program that applied it. */
  version: string
  /** The last migration that this holds for. */
  latest: string
}

export async function findSchemaSupport(db: Db): Promise<SchemaSupport | undefined> {
  return db.selectFrom('schema_support').select(['revision', 'version', 'latest']).executeTakeFirst()
}

/** Notes the last migration, and which of the new ones took something away, if any did. */
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
