import { withFreeLock } from '../../db/file-lock.ts'
import type { Db } from '../../db/schema.ts'
import { machineOf, publishLock } from '../publish-lock.ts'
import { endPublish, findLastSettledPublish, insertPublish } from '../publish-store.ts'
import type { Starter } from '../record-publish.ts'
import { findCurrentRelease, listReleases, type Release, switchToRelease } from './release.ts'

export type RollBackOutcome =
  | { kind: 'rolled_back'; release: Release; from: Release }
  /** There is no release to go back to, or none with this id. */
  | { kind: 'no_release' }
  | { kind: 'current'; release: Release }
  /** A publish runs, which would switch to its own release afterwards. */
  | { kind: 'busy' }

/**
 * Shows visitors an earlier release again: the one before the current one, or that with the id `to`. One rename; it
 * is written into the history. The site stays there until a person publishes: what starts on its own, `npm start` and
 * schedules, leaves it alone (see `isHeldBack`).
 */
export async function rollBack(
  db: Db,
  { dataDir, to, starter, now }: { dataDir: string; to?: string | undefined; starter: Starter; now: Date },
): Promise<RollBackOutcome> {
  const outcome = await withFreeLock(publishLock(dataDir), async (): Promise<RollBackOutcome> => {
    const from = findCurrentRelease(dataDir)
    const release = await findTarget(dataDir, { to, from })
    if (!from || !release) return { kind: 'no_release' }
    if (release.id === from.id) return { kind: 'current', release }
    await switchToRelease(dataDir, release)
    const text = now.toISOString()
    const { startedBy, userId = null } = starter
    const id = await insertPublish(db, { machine: machineOf(dataDir), startedBy, userId, startedAt: text })
    const releases = { releaseId: release.id, previousReleaseId: from.id }
    await endPublish(db, id, { status: 'rolled_back', finishedAt: text, ...releases })
    return { kind: 'rolled_back', release, from }
  })
  return outcome ?? { kind: 'busy' }
}

/** Returns whether visitors see an earlier release because someone rolled back and nobody has published since. */
export async function isHeldBack(db: Db, dataDir: string): Promise<boolean> {
  return (await findLastSettledPublish(db, machineOf(dataDir)))?.status === 'rolled_back'
}

async function findTarget(
  dataDir: string,
  { to, from }: { to?: string | undefined; from?: Release | undefined },
) {
  const releases = await listReleases(dataDir)
  if (to !== undefined) return releases.find(({ id }) => id === to)
  return releases.find(({ id }) => from !== undefined && id < from.id)
}
