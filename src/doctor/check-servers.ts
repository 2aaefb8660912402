import type { Config } from '../config.ts'
import { connectDatabase } from '../db/connect.ts'
import { PROMPT } from '../db/deadlines.ts'
import { checkNames, databaseTexts, networkTexts } from '../messages/command-line/doctor.ts'
import { listServers } from '../server/servers/server-store.ts'
import { type Finding, ok, warning } from './finding.ts'

const NAME = checkNames.servers

/** Whether the servers that run on this database share one DATA_DIR. */
export async function checkServers({ databaseUrl }: Config): Promise<Finding> {
  if (databaseUrl.startsWith('file:')) return ok(NAME, networkTexts.oneServer)
  const db = connectDatabase(databaseUrl, { deadlines: PROMPT })
  try {
    const servers = await listServers(db)
    const byMachine = Map.groupBy(servers, ({ machine }) => machine)
    if (byMachine.size <= 1) return ok(NAME, networkTexts.servers(servers.length))
    const named = [...byMachine].map(([machine, [server]]) =>
      networkTexts.server(machine, server?.releaseId ?? 'none'),
    )
    return warning(NAME, networkTexts.separateServers(byMachine.size, named.join(', ')))
  } catch (error) {
    return warning(NAME, databaseTexts.notChecked((error as Error).message))
  } finally {
    await db.destroy()
  }
}
