import { sql } from 'kysely'
import { agoAsText, engineOf, nowAsText } from '../../db/dialects.ts'
import type { Db } from '../../db/schema.ts'
import { fromRow } from '../../db/tables/columns.ts'

/** Three missed heartbeats. */
const LIVE_SECONDS = 30
/** A server that stopped without signing off stays in the list for an hour. */
const KEPT_SECONDS = 3_600

export interface RunningServer {
  /** Names its DATA_DIR: host and folder. */
  machine: string
  releaseId: string | null
  version: string
  /** UTC text. */
  startedAt: string
}

/** A server as the admin lists it. */
export interface ListedServer extends RunningServer {
  /** UTC text of its last heartbeat. */
  seenAt: string
  health: 'healthy' | 'unhealthy' | 'silent'
  /** It does the daily work. */
  isLeader: boolean
}

interface Beat extends Omit<RunningServer, 'startedAt'> {
  id: string
  isHealthy: boolean
}

/** Records that this server is running. All times are the database's, because machines' clocks differ. */
export async function saveHeartbeat(
  db: Db,
  { id, machine, releaseId, version, isHealthy }: Beat,
): Promise<void> {
  const now = nowAsText(engineOf(db))
  const beat = { release_id: releaseId, seen_at: now, is_healthy: isHealthy ? 1 : 0 }
  await db
    .insertInto('servers')
    .values({ id, machine, version, started_at: now, ...beat })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(beat))
    .execute()
}

/** Removes servers that stopped without signing off an hour ago, or the one with this ID. */
export async function deleteServers(db: Db, { id }: { id?: string } = {}): Promise<void> {
  const query = db.deleteFrom('servers')
  await (id === undefined
    ? query.where('seen_at', '<', agoAsText(engineOf(db), KEPT_SECONDS))
    : query.where('id', '=', id)
  ).execute()
}

/** The running servers, grouped by DATA_DIR, the earliest started first. */
export async function listServers(db: Db): Promise<RunningServer[]> {
  const rows = await db
    .selectFrom('servers')
    .select(['machine', 'release_id', 'version', 'started_at'])
    .where('seen_at', '>=', agoAsText(engineOf(db), LIVE_SECONDS))
    .orderBy('started_at')
    .orderBy('id')
    .execute()
  return rows.map(fromRow)
}

/** The servers that ran within the last hour, the earliest started first. */
export async function listAllServers(db: Db): Promise<ListedServer[]> {
  const isLive = sql<boolean>`seen_at >= ${agoAsText(engineOf(db), LIVE_SECONDS)}`
  const rows = await db
    .selectFrom('servers')
    .leftJoin('site_leader', 'site_leader.server_id', 'servers.id')
    .select(['machine', 'release_id', 'version', 'started_at', 'seen_at', 'is_healthy', 'server_id'])
    .select(isLive.as('is_live'))
    .orderBy('started_at')
    .orderBy('servers.id')
    .execute()
  return rows.map(({ is_live, is_healthy, server_id, ...row }) => ({
    ...fromRow(row),
    health: !is_live ? 'silent' : is_healthy === 1 ? 'healthy' : 'unhealthy',
    isLeader: Boolean(is_live) && server_id !== null,
  }))
}
