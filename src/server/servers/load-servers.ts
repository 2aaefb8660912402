import packageFile from '#package.json' with { type: 'json' }
import type { App } from '../../app.ts'
import { machineOf } from '../../publish/publish-lock.ts'
import { findCurrentRelease } from '../../publish/release/release.ts'
import { type ListedServer, listAllServers } from './server-store.ts'

/** Lists the servers of the site; on SQLite this one, which no table has. */
export async function loadServers({
  db,
  config: { dataDir },
  heartbeat,
  intakeHealth,
}: Pick<App, 'db' | 'config' | 'heartbeat' | 'intakeHealth'>): Promise<ListedServer[]> {
  if (heartbeat) return listAllServers(db)
  const own: ListedServer = {
    machine: machineOf(dataDir),
    releaseId: findCurrentRelease(dataDir)?.id ?? null,
    version: packageFile.version,
    startedAt: new Date(performance.timeOrigin).toISOString(),
    seenAt: new Date().toISOString(),
    health: (await intakeHealth.isTakingPosts()) ? 'healthy' : 'unhealthy',
    isLeader: true,
  }
  return [own]
}
