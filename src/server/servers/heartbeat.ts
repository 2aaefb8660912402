import { randomUUID } from 'node:crypto'
import packageFile from '#package.json' with { type: 'json' }
import type { Config } from '../../config.ts'
import type { Db } from '../../db/schema.ts'
import { machineOf } from '../../publish/publish-lock.ts'
import { findCurrentRelease } from '../../publish/release/release.ts'
import { deleteServers, listServers, type RunningServer, saveHeartbeat } from './server-store.ts'

const EVERY_MS = 10_000

interface HeartbeatOptions {
  config: Pick<Config, 'dataDir' | 'databaseUrl'>
  /** The time between two. */
  everyMs?: number
  log: { warn(details: object, message: string): void; error(details: object, message: string): void }
}

export interface Heartbeat {
  /** The servers with another DATA_DIR, as of the last heartbeat. */
  others(): readonly RunningServer[]
  stop(): Promise<void>
}

/**
 * Tells the database every 10 seconds that this server runs, and the log of every server that appears beside it with a
 * DATA_DIR of its own. On SQLite, which is for one server, it does nothing.
 */
export function startHeartbeat(db: Db, { config, everyMs = EVERY_MS, log }: HeartbeatOptions): Heartbeat {
  if (config.databaseUrl.startsWith('file:')) return { others: () => [], stop: async () => {} }
  const id = randomUUID()
  const machine = machineOf(config.dataDir)
  let others: readonly RunningServer[] = []

  async function beat() {
    const releaseId = findCurrentRelease(config.dataDir)?.id ?? null
    await saveHeartbeat(db, { id, machine, releaseId, version: packageFile.version })
    await deleteServers(db)
    const known = new Set(others.map((other) => other.machine))
    others = otherMachines(await listServers(db), machine)
    for (const other of others) if (!known.has(other.machine)) log.warn({ other }, SEPARATE)
  }

  let current = Promise.resolve()
  const run = () => {
    current = current.then(beat).catch((err) => log.error({ err }, 'the heartbeat of this server failed'))
  }
  const timer = setInterval(run, everyMs).unref()
  run()
  return {
    others: () => others,
    async stop() {
      clearInterval(timer)
      await current
      await deleteServers(db, { id }).catch((err) => log.error({ err }, 'this server could not sign off'))
    },
  }
}

const SEPARATE =
  'another server uses this database with its own DATA_DIR: each publishes for itself and keeps its own files'

// Of each DATA_DIR the last started.
function otherMachines(servers: readonly RunningServer[], machine: string): RunningServer[] {
  const others = servers.filter((server) => server.machine !== machine)
  return [...new Map(others.map((server) => [server.machine, server])).values()]
}
