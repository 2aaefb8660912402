import { agoAsText, engineOf, nowAsText } from '../../db/dialects.ts'
import type { Db } from '../../db/schema.ts'
import { fromRow } from '../../db/tables/columns.ts'

/** Three missed heartbeats. */
const LIVE_SECONDS = 30

export interface RunningServer {
  /** Names its DATA_DIR: host and folder. */
  machine: string
  releaseId: string | null
  version: string
  /** UTC text. */
  startedAt: string
}

/** Says that this server runs. All moments are the database's: clocks of machines differ. */
export async function saveHeartbeat(
  db: Db,
  { id, machine, releaseId, version }: Omit<RunningServer, 'startedAt'> & { id: string },
): Promise<void> {
  const now = nowAsText(engineOf(db))
  await db
    .insertInto('servers')
    .values({ id, machine, release_id: releaseId, version, started_at: now, seen_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ release_id: releaseId, seen_at: now }))
    .execute()
}

/** Removes servers that stopped without a word, or the one with this id. */
export async function deleteServers(db: Db, { id }: { id?: string } = {}): Promise<void> {
  const query = db.deleteFrom('servers')
  await (id === undefined
    ? query.where('seen_at', '<', agoAsText(engineOf(db), LIVE_SECONDS))
    : query.where('id', '=', id)
  ).execute()
}

/** The servers that run, those of each DATA_DIR together, the first started first. */
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
