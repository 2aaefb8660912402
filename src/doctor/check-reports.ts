import { listAdministrators } from '../auth/administrator-store.ts'
import type { Config } from '../config.ts'
import { describeFinding } from '../messages/command-line/doctor.ts'
import { listFailedReports } from '../server/monthly-reports/monthly-report-store.ts'
import { type Finding, ok, warning } from './finding.ts'
import { withDatabase } from './with-database.ts'

const LISTED = 5

/** Returns whether the last monthly reports were mailed, and to whom they were not. */
export function checkReports(config: Config): Promise<Finding> {
  const name = 'reports'
  return withDatabase(name, config, async (db) => {
    const failed = await listFailedReports(db)
    if (failed.length === 0) return ok(name, 'reportsMailed')
    const emails = new Map((await listAdministrators(db)).map(({ id, email }) => [id, email]))
    const said = failed.slice(0, LISTED).map(({ userId, period, lastError }) =>
      // A user who is gone has no reports.
      describeFinding('report', [emails.get(userId) ?? '', period, (lastError ?? '').replace(/\.$/, '')]),
    )
    return warning(name, 'reportsFailed', failed.length, said.join('; '))
  })
}
