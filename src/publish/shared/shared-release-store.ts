import { type Selectable, sql, type UpdateObject } from 'kysely'
import { z } from 'zod'
import { agoAsText, engineOf, nowAsText } from '../../db/dialects.ts'
import type { Db, Schema } from '../../db/schema.ts'
import { jsonColumn } from '../../lib/json-column.ts'
import { type PublishProgress, publishProgress } from '../publish-progress.ts'

/** Tells listening servers to check the shared site. */
export const SITE_CHANNEL = 'signpost_site'
/**
 * A publisher that is silent for this long is dead. It renews every second, except during steps that block its
 * process.
 */
const LEASE_SECONDS = 15
/** Servers silent for this long aren't waited for. */
const LIVE_SECONDS = 12
const LOST_SECONDS = 86_400

const part = z.object({ key: z.string(), sha256: z.string(), bytes: z.number() })

/** A file of a release in the store. */
export type ReleasePart = z.output<typeof part>

/** A release in the store: the files that differ from its parent's, and perhaps all files. */
export interface SharedRelease {
  id: string
  /** Null if the parts are the whole release. */
  parentId: string | null
  parts: ReleasePart[]
  /** All files, in addition to those that differ. */
  wholeParts: ReleasePart[] | undefined
}

/** State shared by the servers of a site. */
export interface SharedState {
  /** The release that visitors see; undefined before the first publish. */
  liveId: string | undefined
  /** The release that servers are preparing. */
  nextId: string | undefined
  /** The server that publishes. */
  publisher: string | undefined
  progress: PublishProgress | undefined
}

const partsColumn = jsonColumn(z.array(part))
const progressColumn = jsonColumn(publishProgress)

export async function readSharedState(db: Db): Promise<SharedState> {
  const isLive = sql<boolean>`renewed_at >= ${agoAsText(engineOf(db), LEASE_SECONDS)}`
  const row = await db
    .selectFrom('shared_site')
    .select(['live_id', 'next_id', 'server', 'progress_json', isLive.as('is_live')])
    .where('id', '=', 1)
    .executeTakeFirst()
  const isPublishing = row?.server != null && Boolean(row.is_live)
  return {
    liveId: row?.live_id ?? undefined,
    nextId: row?.next_id ?? undefined,
    publisher: (isPublishing && row?.server) || undefined,
    progress: isPublishing && row?.progress_json ? progressColumn.decode(row.progress_json) : undefined,
  }
}

/**
 * Claims the right to publish, unless another server has it. A claim of an earlier process of this server counts as
 * free.
 */
export async function takeLease(db: Db, { server, owner }: { server: string; owner: string }) {
  const engine = engineOf(db)
  const { numUpdatedRows } = await db
    .updateTable('shared_site')
    .set({
      owner,
      server,
      renewed_at: nowAsText(engine),
      next_id: null,
      progress_json: null,
      wanted_at: null,
    })
    .where('id', '=', 1)
    .where((row) =>
      row.or([
        row('owner', 'is', null),
        row('server', '=', server),
        row('renewed_at', '<', agoAsText(engine, LEASE_SECONDS)),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Reports that the publisher is still working, and its progress; returns true if another server is waiting. */
export async function renewLease(
  db: Db,
  owner: string,
  progress: PublishProgress | undefined,
): Promise<boolean> {
  const progress_json = progress ? progressColumn.encode(progress) : null
  const row = await db
    .updateTable('shared_site')
    .set({ renewed_at: nowAsText(engineOf(db)), progress_json })
    .where('id', '=', 1)
    .where('owner', '=', owner)
    .returning('wanted_at')
    .executeTakeFirst()
  return row?.wanted_at != null
}

/** Asks the server with the right to publish to give it up. A check does. */
export async function wantLease(db: Db): Promise<void> {
  await db
    .updateTable('shared_site')
    .set({ wanted_at: nowAsText(engineOf(db)) })
    .where('id', '=', 1)
    .execute()
}

export async function releaseLease(db: Db, owner: string): Promise<void> {
  await updateOwn(db, owner, {
    owner: null,
    server: null,
    renewed_at: null,
    next_id: null,
    progress_json: null,
    wanted_at: null,
  })
  await notify(db)
}

/** Tells servers to prepare a release; returns false if another publisher took over. */
export async function announceRelease(db: Db, owner: string, id: string): Promise<boolean> {
  const isOwn = await updateOwn(db, owner, { next_id: id, renewed_at: nowAsText(engineOf(db)) })
  await notify(db)
  return isOwn
}

/** Shows a release to all visitors; returns false if another publisher took over. */
export async function setLiveRelease(db: Db, owner: string, id: string): Promise<boolean> {
  const isOwn = await updateOwn(db, owner, {
    live_id: id,
    next_id: null,
    renewed_at: nowAsText(engineOf(db)),
  })
  await notify(db)
  return isOwn
}

async function updateOwn(
  db: Db,
  owner: string,
  values: UpdateObject<Schema, 'shared_site'>,
): Promise<boolean> {
  const query = db.updateTable('shared_site').set(values).where('id', '=', 1).where('owner', '=', owner)
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

async function notify(db: Db) {
  if (engineOf(db) === 'postgres') await sql`select pg_notify(${SITE_CHANNEL}, '')`.execute(db)
}

/**
 * Forgets the releases in the store: those of a restored database may be gone. Its next publish makes a complete
 * one.
 */
export async function forgetSharedReleases(db: Db): Promise<void> {
  const none = {
    live_id: null,
    next_id: null,
    owner: null,
    server: null,
    renewed_at: null,
    progress_json: null,
  }
  await db.updateTable('shared_site').set(none).execute()
  await db.deleteFrom('shared_releases').execute()
  await db.deleteFrom('release_servers').execute()
}

export async function listSharedReleases(db: Db): Promise<SharedRelease[]> {
  const rows = await db.selectFrom('shared_releases').selectAll().orderBy('id', 'desc').execute()
  return rows.map(toSharedRelease)
}

export async function insertSharedRelease(
  db: Db,
  { id, parentId, parts }: Omit<SharedRelease, 'wholeParts'>,
): Promise<void> {
  const parts_json = partsColumn.encode(parts)
  await db
    .insertInto('shared_releases')
    .values({ id, parent_id: parentId, parts_json, made_at: nowAsText(engineOf(db)) })
    .execute()
}

export async function saveWholeParts(db: Db, id: string, parts: ReleasePart[]): Promise<void> {
  await db
    .updateTable('shared_releases')
    .set({ whole_parts_json: partsColumn.encode(parts) })
    .where('id', '=', id)
    .execute()
}

export async function deleteSharedReleases(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('shared_releases').where('id', 'in', ids).execute()
}

/** Reports what this server shows, and what it could show. */
export async function saveReleaseServer(
  db: Db,
  { server, releaseId, stagedId }: { server: string; releaseId: string | null; stagedId: string | null },
): Promise<void> {
  const seen_at = nowAsText(engineOf(db))
  const now = { release_id: releaseId, staged_id: stagedId, seen_at }
  await db
    .insertInto('release_servers')
    .values({ server, ...now })
    .onConflict((conflict) => conflict.column('server').doUpdateSet(now))
    .execute()
}

export async function deleteReleaseServer(db: Db, server: string): Promise<void> {
  await db.deleteFrom('release_servers').where('server', '=', server).execute()
}

/** Deletes servers that stopped silently more than a day ago. */
export async function deleteLostServers(db: Db): Promise<void> {
  const before = agoAsText(engineOf(db), LOST_SECONDS)
  await db.deleteFrom('release_servers').where('seen_at', '<', before).execute()
}

/** Counts the other live servers that can't show this release yet. */
export async function countUnready(db: Db, { server, id }: { server: string; id: string }): Promise<number> {
  const { count } = await db
    .selectFrom('release_servers')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('server', '<>', server)
    .where('seen_at', '>=', agoAsText(engineOf(db), LIVE_SECONDS))
    .where((row) => row.or([row('staged_id', 'is', null), row('staged_id', '<>', id)]))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function toSharedRelease(row: Selectable<Schema['shared_releases']>): SharedRelease {
  return {
    id: row.id,
    parentId: row.parent_id,
    parts: partsColumn.decode(row.parts_json),
    wholeParts: row.whole_parts_json === null ? undefined : partsColumn.decode(row.whole_parts_json),
  }
}
