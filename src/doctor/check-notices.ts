import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import { connectDatabase } from '../db/connect.ts'
import { PATIENT } from '../db/deadlines.ts'
import type { Schema } from '../db/schema.ts'
import { isMissing } from '../lib/is-missing.ts'
import { findNotices } from '../publish/notices/find-notices.ts'
import { type Finding, ok, warning } from './finding.ts'

const NAME = 'Site'
const NAMED = 5

/** Whether visitors and search engines get all that the content has. */
export async function checkNotices({ databaseUrl }: Config): Promise<Finding> {
  if (databaseUrl.startsWith('file:') && isMissing(databaseUrl.slice('file:'.length)))
    return ok(NAME, 'no content yet')
  let db: Kysely<Schema> | undefined
  try {
    db = connectDatabase(databaseUrl, { deadlines: PATIENT })
    const notices = await findNotices(db)
    if (notices.length === 0) return ok(NAME, 'pictures, names and the address are complete')
    const said = notices.slice(0, NAMED).map(({ message }) => message)
    const more = notices.length > NAMED ? ` (and ${notices.length - NAMED} more)` : ''
    return warning(NAME, said.join(' ') + more)
  } catch (error) {
    return warning(NAME, `not looked at: ${(error as Error).message}`)
  } finally {
    await db?.destroy()
  }
}
