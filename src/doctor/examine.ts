import type { Config } from '../config.ts'
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
    Node: () => checkNode(),
    Disk: () => checkDisk(config),
    'Data folder': () => checkDataFolder(config),
    'Secret key': () => checkSecretKeys(config),
    Database: () => checkDatabase(config),
    Content: () => checkContent(config),
    Release: () => checkRelease(config),
    Site: () => checkNotices(config),
    Backups: () => checkBackups(config),
    Server: () => checkServer(config),
    Servers: () => checkServers(config),
    SITE_URL: () => checkSiteAddress(config),
    Admin: () => checkAdminAddress(config),
    Clock: () => checkClock(config),
    Mail: () => checkMail(config),
    Webhooks: () => checkWebhooks(config),
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
