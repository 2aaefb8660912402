import type { Config } from '../config.ts'
import { checkNames } from '../messages/command-line/doctor.ts'
import { checkDatabase } from './check-database.ts'
import { checkDataFolder, checkDisk, checkNode } from './check-machine.ts'
import { checkAdminAddress, checkClock, checkMail, checkServer, checkSiteAddress } from './check-network.ts'
import { checkNotices } from './check-notices.ts'
import { checkSecretKeys } from './check-secret-keys.ts'
import { checkServers } from './check-servers.ts'
import { checkBackups, checkContent, checkRelease } from './check-site.ts'
import { checkWebhooks } from './check-webhooks.ts'
import type { Finding } from './finding.ts'

/** Every check, in the order of a report. One that cannot be made says so and stops no other. */
export async function examine(config: Config): Promise<Finding[]> {
  const checks = {
    [checkNames.node]: () => checkNode(),
    [checkNames.disk]: () => checkDisk(config),
    [checkNames.dataFolder]: () => checkDataFolder(config),
    [checkNames.secretKey]: () => checkSecretKeys(config),
    [checkNames.database]: () => checkDatabase(config),
    [checkNames.content]: () => checkContent(config),
    [checkNames.release]: () => checkRelease(config),
    [checkNames.site]: () => checkNotices(config),
    [checkNames.backups]: () => checkBackups(config),
    [checkNames.server]: () => checkServer(config),
    [checkNames.servers]: () => checkServers(config),
    [checkNames.siteUrl]: () => checkSiteAddress(config),
    [checkNames.admin]: () => checkAdminAddress(config),
    [checkNames.clock]: () => checkClock(config),
    [checkNames.mail]: () => checkMail(config),
    [checkNames.webhooks]: () => checkWebhooks(config),
  }
  return Promise.all(
    Object.entries(checks).map(async ([check, run]): Promise<Finding> => {
      try {
        return await run()
      } catch (error) {
        return { check, state: 'failed', says: (error as Error).message }
      }
    }),
  )
}
