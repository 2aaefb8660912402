import type { Config } from '../../config.ts'
import type { FileStore } from '../../files/file-store.ts'
import type { Worker } from '../../lib/background/worker.ts'
import { openSharedSite } from '../../publish/shared/shared-site.ts'
import type { SendAccountMail } from '../accounts/account-mail.ts'
import { createMonthlyReports } from '../monthly-reports/monthly-reports.ts'
import { createDailyBackups } from './daily-backups.ts'
import { createHousekeeping } from './housekeeping.ts'
import { createLeadUpkeep } from './lead-upkeep.ts'
import { createOutlets } from './outlets.ts'

type HousekeepingParts = Omit<Parameters<typeof createHousekeeping>[0], 'dataDir' | 'limits' | 'shared'>

interface Parts extends HousekeepingParts {
  config: Config
  erasures: Worker
  cleanUp: Worker
  accountMail: SendAccountMail | undefined
  files: FileStore
}

/** Starts the upkeep of a running site: expiry, erasures, the database file, and daily backups. */
export function listUpkeep({
  config,
  erasures,
  cleanUp,
  accountMail,
  ...parts
}: Parts): Readonly<Record<string, Worker | undefined>> {
  const { dataDir, databaseUrl, backupKeep, filePlace, rateLimit: limits } = config
  return {
    housekeeping: createHousekeeping({ ...parts, dataDir, limits, shared: openSharedSite(config) }),
    'places of leads': createLeadUpkeep(parts),
    'monthly reports': createMonthlyReports({ ...parts, config, accountMail }),
    ...{ erasures, 'clean-up': cleanUp },
    outlets: createOutlets({ ...parts, config }),
    backups: createDailyBackups({
      db: parts.db,
      config: { dataDir, databaseUrl, backupKeep, filePlace },
      log: parts.log,
    }),
  }
}
