import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../db/schema.ts'
import { readPublishProgress } from '../render/progress-file.ts'
import { releaseLease, renewLease, takeLease, wantLease } from './shared-release-store.ts'
import type { SharedSite } from './shared-site.ts'

const POLL_MS = 100
const RENEW_MS = 1_000

interface LeaseOptions {
  shared: SharedSite
  dataDir: string
  withinMs: number
  /** Gives up the lease within a second when another server wants to publish. */
  yields?: boolean | undefined
}

/**
 * Runs `work` while no other server publishes the site; undefined if another one does for longer than `withinMs`, or
 * if `work` yields to one. If a server dies, its lease expires after 15 seconds. A server that loses it can't make
 * anything live: see `setLiveRelease`.
 */
export async function withLease<T>(
  db: Db,
  { shared, dataDir, withinMs, yields = false }: LeaseOptions,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const giveUpAt = performance.now() + withinMs
  let askAt = 0
  while (!(await takeLease(db, shared))) {
    if (performance.now() > giveUpAt) return undefined
    if (!yields && performance.now() > askAt) {
      await wantLease(db)
      askAt = performance.now() + RENEW_MS
    }
    await delay(POLL_MS)
  }
  const wanted = Promise.withResolvers<undefined>()
  const renewing = setInterval(() => {
    renewLease(db, shared.owner, readPublishProgress(dataDir)).then(
      (isWanted) => isWanted && yields && wanted.resolve(undefined),
      () => {},
    )
  }, RENEW_MS)
  try {
    // Unfinished work can't go live without the lease, and ends with its process.
    return await Promise.race([work(), wanted.promise])
  } finally {
    clearInterval(renewing)
    await releaseLease(db, shared.owner)
  }
}
