import type { Config } from '../config.ts'
import { connectDatabase } from '../db/connect.ts'
import { PROMPT } from '../db/deadlines.ts'
import { openSharedSite } from '../publish/shared/shared-site.ts'
import { listServers } from '../server/servers/server-store.ts'
import { type Finding, ok, warning } from './finding.ts'

const NAME = 'servers'

/** Returns whether the servers that run on this database share one DATA_DIR. */
export async function checkServers(config: Config): Promise<Finding> {
  const { databaseUrl } = config
  if (databaseUrl.startsWith('file:')) return ok(NAME, 'oneServer')
  await using db = connectDatabase(databaseUrl, { deadlines: PROMPT })
  try {
    const servers = await listServers(db)
    const byMachine = Map.groupBy(servers, ({ machine }) => machine)
    if (byMachine.size <= 1 || openSharedSite(config)) return ok(NAME, 'servers', servers.length)
    const releases = [...byMachine].map(
      ([machine, [server]]) => [machine, server?.releaseId ?? 'none'] as const,
    )
    return warning(NAME, 'separateServers', releases)
  } catch (error) {
    return warning(NAME, 'notChecked', (error as Error).message)
  }
}
