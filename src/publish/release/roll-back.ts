import type { Db } from '../../db/schema.ts'
import { Failure } from '../../lib/messages.ts'
import { publishFailures } from '../../messages/server/publishing.ts'
import { endPublish, findLastPublish, findLastSettledPublish, insertPublish } from '../publish-store.ts'
import { withFreeTurn } from '../publish-turn.ts'
import type { Starter } from '../record-publish.ts'
import { showRelease } from '../shared/share-release.ts'
import { listSharedReleases, readSharedState } from '../shared/shared-release-store.ts'
import { historyOf, type SitePlace } from '../shared/shared-site.ts'
import { takeRelease } from '../shared/take-release.ts'
import {
  findCurrentRelease,
  hasRelease,
  listReleases,
  type Release,
  releaseAt,
  switchToRelease,
} from './release.ts'

export type RollBackOutcome =
  | { kind: 'rolled_back'; release: Release; from: Release }
  /** There is no earlier release, or none with this ID. */
  | { kind: 'no_release' }
  | { kind: 'current'; release: Release }
  /** A publish is running and would switch to its own release afterwards. */
  | { kind: 'busy' }

/**
 * Shows visitors an earlier release again: the previous one, or the one with the ID `to`. Switches with one rename
 * and records it in the history. The site stays there until a person publishes: `npm start` and schedules don't
 * change it (see `isHeldBack`).
 */
export async function rollBack(
  db: Db,
  { to, starter, now, ...place }: SitePlace & { to?: string | undefined; starter: Starter; now: Date },
): Promise<RollBackOutcome> {
  const { dataDir } = place
  const outcome = await withFreeTurn(db, place, async (): Promise<RollBackOutcome> => {
    const from = findCurrentRelease(dataDir)
    const releases = await listKeptReleases(db, place)
    const release = findTarget(releases, { to, from })
    if (!from || !release) return { kind: 'no_release' }
    if (release.id === from.id) return { kind: 'current', release }
    await showToAll(db, place, release)
    await switchToRelease(dataDir, release)
    const text = now.toISOString()
    const { startedBy, userId = null } = starter
    const id = await insertPublish(db, { machine: historyOf(place), startedBy, userId, startedAt: text })
    const shown = { releaseId: release.id, previousReleaseId: from.id }
    await endPublish(db, id, { status: 'rolled_back', finishedAt: text, ...shown })
    return { kind: 'rolled_back', release, from }
  })
  return outcome ?? { kind: 'busy' }
}

/**
 * Returns whether visitors see an earlier release because someone rolled back and nobody has published since. A restored
 * backup has the history but no release to stay at.
 */
export async function isHeldBack(db: Db, place: SitePlace): Promise<boolean> {
  if (!(await hasLiveRelease(db, place))) return false
  return (await findLastSettledPublish(db, historyOf(place)))?.status === 'rolled_back'
}

/** Returns the ID of the last rollback in the history; 0 if there is none. */
export async function findLastRollbackId(db: Db, place: SitePlace): Promise<number> {
  const last = await findLastPublish(db, { machine: historyOf(place), status: 'rolled_back' })
  return last?.id ?? 0
}

/** Throws if visitors see an earlier release because of a rollback after the publish was requested. */
export async function checkRolledBack(
  db: Db,
  { starter, ...place }: SitePlace & { starter?: Pick<Starter, 'lastRollbackId'> | undefined },
): Promise<void> {
  const known = starter?.lastRollbackId
  if (known === undefined || (await findLastRollbackId(db, place)) === known) return
  if (await isHeldBack(db, place)) throw new Failure(publishFailures, 'rolledBack')
}

// A server that joins may not have the others' release yet.
async function hasLiveRelease(db: Db, { dataDir, shared }: SitePlace): Promise<boolean> {
  if (!shared) return findCurrentRelease(dataDir) !== undefined
  return (await readSharedState(db)).liveId !== undefined
}

/** Lists the releases that can be restored, newest first. */
export async function listKeptReleases(db: Db, { dataDir, shared }: SitePlace): Promise<Release[]> {
  if (!shared) return listReleases(dataDir)
  return (await listSharedReleases(db)).map(({ id }) => releaseAt(dataDir, id))
}

// Another server's release is taken from the store.
async function showToAll(db: Db, { dataDir, shared }: SitePlace, { id }: Release): Promise<void> {
  if (!shared) return
  if (!hasRelease(dataDir, id)) {
    const releases = await listSharedReleases(db)
    await takeRelease(id, { dataDir, files: shared.files, releases })
  }
  await showRelease(db, shared, { id, bytes: 0 })
}

function findTarget(
  releases: readonly Release[],
  { to, from }: { to?: string | undefined; from?: Release | undefined },
) {
  if (to !== undefined) return releases.find(({ id }) => id === to)
  return releases.find(({ id }) => from !== undefined && id < from.id)
}
