import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../db/schema.ts'
import { readPublishProgress } from '../render/progress-file.ts'
import { releaseLease, renewLease, takeLease } from './shared-release-store.ts'
import type { SharedSite } from './shared-site.ts'

const POLL_MS = 100
const RENEW_MS = 1_000

/**
 * Runs `work` while no other server publishes the site; undefined when one does for longer than `withinMs`. A server that
 * dies frees it after half a minute. One that loses it shows nothing: see `setLiveRelease`.
 */
export async function withLease<T>(
  db: Db,
  { shared, dataDir, withinMs }: { shared: SharedSite; dataDir: string; withinMs: number },
  work: () => Promise<T>,
): Promise<T | undefined> {
  const giveUpAt = performance.now() + withinMs
  while (!(await takeLease(db, shared))) {
    if (performance.now() > giveUpAt) return undefined
    await delay(POLL_MS)
  }
  const renewing = setInterval(() => {
    renewLease(db, shared.owner, readPublishProgress(dataDir)).catch(() => {})
  }, RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
    await releaseLease(db, shared.owner)
  }
}
