import type { Config } from '../config.ts'
import { connectDatabase } from '../db/connect.ts'
import { PROMPT } from '../db/deadlines.ts'
import { listServers } from '../server/servers/server-store.ts'
import { type Finding, ok, warning } from './finding.ts'

const NAME = 'Servers'

/** Whether the servers that run on this database share one DATA_DIR. */
export async function checkServers({ databaseUrl }: Config): Promise<Finding> {
  if (databaseUrl.startsWith('file:')) return ok(NAME, 'one at most, as SQLite is for one')
  const db = connectDatabase(databaseUrl, { deadlines: PROMPT })
  try {
    const servers = await listServers(db)
    const byMachine = Map.groupBy(servers, ({ machine }) => machine)
    if (byMachine.size <= 1) return ok(NAME, `${servers.length} running on this database`)
    const named = [...byMachine].map(
      ([machine, [server]]) => `${machine} (release ${server?.releaseId ?? 'none'})`,
    )
    return warning(
      NAME,
      `${byMachine.size} run on this database, each with its own DATA_DIR: ${named.join(', ')}. Publish and roll back on each, and see docs/deploying.md`,
    )
  } catch (error) {
    return warning(NAME, `not checked: ${(error as Error).message}`)
  } finally {
    await db.destroy()
  }
}
