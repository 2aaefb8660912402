import { readConfig } from '../../config.ts'
import { connectDatabase } from '../../db/connect.ts'
import { refuseWithoutDatabase } from '../../db/current-database.ts'
import { listContentTypes } from '../../entries/types/content-type-store.ts'
import { describeEntryTypes } from '../../site/own-pages/entry-types.ts'

/** Returns the declaration of a site's content types; of none before its first start. */
export async function describeTypesOfSite(): Promise<string> {
  return describeEntryTypes(await listTypes())
}

async function listTypes() {
  const { databaseUrl } = readConfig()
  try {
    refuseWithoutDatabase(databaseUrl)
  } catch {
    return []
  }
  await using db = connectDatabase(databaseUrl)
  try {
    return await listContentTypes(db)
  } catch {
    // Not migrated yet: the types come with the next build.
    return []
  }
}
