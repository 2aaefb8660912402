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
import { deleteServers, listServers, type RunningServer, saveHeartbeat } from './server-store.ts'

const EVERY_MS = 10_000

interface HeartbeatOptions {
  config: Pick<Config, 'dataDir' | 'databaseUrl'>
  /** The time between two. */
  everyMs?: number
  /** All servers show the same release and have the same files. */
  isShared?: boolean
  log: Pick<Log, 'warn' | 'error'>
}

export interface Heartbeat extends Worker {
  /** The servers with another DATA_DIR, as of the last heartbeat. */
  others(): readonly RunningServer[]
}

/**
 * Tells the database every 10 seconds that this server runs, and the log of every server that appears beside it with a
 * DATA_DIR of its own. Undefined on SQLite, which is for one server.
 */
export function createHeartbeat(
  db: Db,
  { config, everyMs = EVERY_MS, isShared = false, log }: HeartbeatOptions,
): Heartbeat | undefined {
  if (config.databaseUrl.startsWith('file:')) return undefined
  const id = randomUUID()
  const machine = machineOf(config.dataDir)
  let others: readonly RunningServer[] = []

  async function beat() {
    const releaseId = findCurrentRelease(config.dataDir)?.id ?? null
    await saveHeartbeat(db, { id, machine, releaseId, version: packageFile.version })
    await deleteServers(db)
    const known = new Set(others.map((other) => other.machine))
    others = isShared ? [] : otherMachines(await listServers(db), machine)
    for (const other of others) if (!known.has(other.machine)) log.warn({ other }, logTexts.separateServer)
  }

  const loop = createLoop({ everyMs, turn: beat, failure: logTexts.heartbeatFailed, log })
  return {
    start: loop.start,
    others: () => others,
    async stop() {
      await loop.stop()
      await deleteServers(db, { id }).catch((err) => log.error({ err }, logTexts.signOffFailed))
    },
  }
}

// The server that started last, for each DATA_DIR.
function otherMachines(servers: readonly RunningServer[], machine: string): RunningServer[] {
  const others = servers.filter((server) => server.machine !== machine)
  return [...new Map(others.map((server) => [server.machine, server])).values()]
}
