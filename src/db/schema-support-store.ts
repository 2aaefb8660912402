import packageFile from '#package.json' with { type: 'json' }
import type { Db } from './schema.ts'

/** The last migration that took something away, and the version of the program that applied it. */
export interface SchemaSupport {
  revision: string
  version: string
}

export async function findSchemaSupport(db: Db): Promise<SchemaSupport | undefined> {
  return db.selectFrom('schema_support').select(['revision', 'version']).executeTakeFirst()
}

export async function saveSchemaSupport(db: Db, revision: string): Promise<void> {
  await db.updateTable('schema_support').set({ revision, version: packageFile.version }).execute()
}
