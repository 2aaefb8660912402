import type { Db } from '../../db/schema.ts'
import { findBase, withLedger } from '../ledger/ledger-store.ts'
import { findCurrentRelease, hasRelease, releaseAt, switchToRelease } from '../release/release.ts'
import { shareRelease } from './share-release.ts'
import { listSharedReleases, readSharedState } from './shared-release-store.ts'
import type { SitePlace } from './shared-site.ts'
import { takeRelease } from './take-release.ts'

/**
 * Makes the live release this server's current one, fetching it from the store if needed. The caller must hold the
 * folder's lock. Does nothing if a single server runs the site.
 */
export async function takeLive(db: Db, { dataDir, shared }: SitePlace): Promise<void> {
  const liveId = shared && (await readSharedState(db)).liveId
  if (!shared || liveId === undefined || findCurrentRelease(dataDir)?.id === liveId) return
  if (!hasRelease(dataDir, liveId))
    await takeRelease(liveId, { dataDir, files: shared.files, releases: await listSharedReleases(db) })
  await switchToRelease(dataDir, releaseAt(dataDir, liveId))
}

/**
 * Makes the live release the current one if this server has it; returns whether it does. The caller must hold the
 * folder's lock.
 */
export async function showLive(db: Db, { dataDir }: SitePlace): Promise<boolean> {
  const { liveId } = await readSharedState(db)
  if (liveId === undefined || findCurrentRelease(dataDir)?.id === liveId) return true
  if (!hasRelease(dataDir, liveId)) return false
  await switchToRelease(dataDir, releaseAt(dataDir, liveId))
  return true
}

/** Shares the release that this server had before its site was shared. The caller must have the turn to publish. */
export async function adoptRelease(db: Db, { dataDir, shared }: SitePlace): Promise<void> {
  const release = findCurrentRelease(dataDir)
  if (!shared || !release || (await readSharedState(db)).liveId !== undefined) return
  await withLedger(dataDir, async (ledger) => {
    const facts = findBase(ledger, release)
    if (facts) await shareRelease(db, shared, { dataDir, ledger, release, facts, parent: undefined })
  })
}
