import type { Config } from '../config.ts'
import type { CheckName } from '../messages/command-line/doctor.ts'
import { checkBackups } from './check-backups.ts'
import { checkConditions } from './check-conditions.ts'
import { checkDatabase } from './check-database.ts'
import { checkFiles } from './check-files.ts'
import { checkDataFolder, checkDisk, checkNode } from './check-machine.ts'
import { checkAdminAddress, checkClock, checkMail, checkServer, checkSiteAddress } from './check-network.ts'
import { checkNotices } from './check-notices.ts'
import { checkOutlets } from './check-outlets.ts'
import { checkPictures } from './check-pictures.ts'
import { checkReports } from './check-reports.ts'
import { checkSecretKeys } from './check-secret-keys.ts'
import { checkServers } from './check-servers.ts'
import { checkContent, checkRelease } from './check-site.ts'
import { checkTimeZone } from './check-time-zone.ts'
import { checkWebhooks } from './check-webhooks.ts'
import { type Finding, failed } from './finding.ts'

/** Every check, in the order of a report. One that cannot be made says so and stops no other. */
export async function examine(config: Config): Promise<Finding[]> {
  const checks = {
    node: () => checkNode(),
    disk: () => checkDisk(config),
    dataFolder: () => checkDataFolder(config),
    files: () => checkFiles(config),
    secretKey: () => checkSecretKeys(config),
    database: () => checkDatabase(config),
    content: () => checkContent(config),
    release: () => checkRelease(config),
    site: () => checkNotices(config),
    pictures: () => checkPictures(config),
    backups: () => checkBackups(config),
    server: () => checkServer(config),
    servers: () => checkServers(config),
    siteUrl: () => checkSiteAddress(config),
    admin: () => checkAdminAddress(config),
    clock: () => checkClock(config),
    timeZone: () => checkTimeZone(config),
    mail: () => checkMail(config),
    reports: () => checkReports(config),
    outlets: () => checkOutlets(config),
    webhooks: () => checkWebhooks(config),
    conditions: () => checkConditions(config),
  }
  return Promise.all(
    Object.entries(checks).map(async ([check, run]): Promise<Finding> => {
      try {
        return await run()
      } catch (error) {
        return failed(check as CheckName, 'unexpected', (error as Error).message)
      }
    }),
  )
}
