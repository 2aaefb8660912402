import type { Config } from '../config.ts'
import { PATIENT } from '../db/deadlines.ts'
import { describeNotice } from '../messages/admin/notices.ts'
import { findNotices } from '../publish/notices/find-notices.ts'
import { type Finding, ok, warning } from './finding.ts'
import { withDatabase } from './with-database.ts'

const NAME = 'site'
const NAMED = 5

/** Returns whether visitors and search engines get all that the content has. */
export async function checkNotices({ databaseUrl }: Config): Promise<Finding> {
  return withDatabase(NAME, { databaseUrl, deadlines: PATIENT }, async (db) => {
    const notices = await findNotices(db)
    if (notices.length === 0) return ok(NAME, 'complete')
    const said = notices.slice(0, NAMED).map((notice) => describeNotice(notice))
    return warning(NAME, 'notices', said.join(' '), notices.length - said.length)
  })
}
