import { randomUUID } from 'node:crypto'
import packageFile from '#package.json' with { type: 'json' }
import type { Config } from '../../config.ts'
import type { Db } from '../../db/schema.ts'
import { createLoop } from '../../lib/background/loop.ts'
import type { Worker } from '../../lib/background/worker.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { machineOf } from '../../publish/publish-lock.ts'
import { findCurrentRelease } from '../../publish/release/release.ts'
import { LEAD_SECONDS, leaveLead, takeLead } from './leader-store.ts'
import { deleteServers, listServers, type RunningServer, saveHeartbeat } from './server-store.ts'

const EVERY_MS = 10_000

interface HeartbeatOptions {
  config: Pick<Config, 'dataDir' | 'databaseUrl'>
  /** The time between two heartbeats. */
  everyMs?: number
  /** All servers show the same release and have the same files. */
  isShared?: boolean
  /** This server could store posts and shows the live release. */
  isHealthy?: () => Promise<boolean>
  log: Pick<Log, 'warn' | 'error'>
}

export interface Heartbeat extends Worker {
  /** The servers with another DATA_DIR, as of the last heartbeat. */
  others(): readonly RunningServer[]
  /** Says whether this server does the daily work of all. */
  leads(): boolean
}

/**
 * Reports every 10 seconds to the database that this server is running, and logs every other server that appears with
 * its own DATA_DIR. One server leads and does the daily work for all. If it dies, another takes over within 40 seconds.
 * Undefined on SQLite, which is for one server.
 */
export function createHeartbeat(
  db: Db,
  { config, everyMs = EVERY_MS, isShared = false, isHealthy = async () => true, log }: HeartbeatOptions,
): Heartbeat | undefined {
  if (config.databaseUrl.startsWith('file:')) return undefined
  const id = randomUUID()
  const machine = machineOf(config.dataDir)
  let others: readonly RunningServer[] = []
  let ledAt = Number.NEGATIVE_INFINITY

  async function beat() {
    const releaseId = findCurrentRelease(config.dataDir)?.id ?? null
    const askedAt = performance.now()
    await saveHeartbeat(db, {
      id,
      machine,
      releaseId,
      version: packageFile.version,
      isHealthy: await isHealthy(),
    })
    await deleteServers(db)
    ledAt = (await takeLead(db, id)) ? askedAt : Number.NEGATIVE_INFINITY
    const known = new Set(others.map((other) => other.machine))
    others = isShared ? [] : otherMachines(await listServers(db), machine)
    for (const other of others) if (!known.has(other.machine)) log.warn({ other }, logTexts.separateServer)
  }

  const loop = createLoop({ everyMs, turn: beat, failure: logTexts.heartbeatFailed, log })
  return {
    start: loop.start,
    others: () => others,
    // Also if the database was unavailable since, and another server took over.
    leads: () => performance.now() - ledAt < LEAD_SECONDS * 1_000,
    async stop() {
      await loop.stop()
      ledAt = Number.NEGATIVE_INFINITY
      await Promise.all([deleteServers(db, { id }), leaveLead(db, id)]).catch((err) =>
        log.error({ err }, logTexts.signOffFailed),
      )
    },
  }
}

// The server that started last, for each DATA_DIR.
function otherMachines(servers: readonly RunningServer[], machine: string): RunningServer[] {
  const others = servers.filter((server) => server.machine !== machine)
  return [...new Map(others.map((server) => [server.machine, server])).values()]
}
