import { join } from 'node:path'
import { withFileLock, withFreeLock } from '../db/file-lock.ts'
import type { Db } from '../db/schema.ts'
import { publishLock } from './publish-lock.ts'
import { withLease } from './shared/publish-lease.ts'
import type { SitePlace } from './shared/shared-site.ts'
import { adoptRelease, takeLive } from './shared/take-live.ts'
import { isLostRelease } from './shared/take-release.ts'

const MOMENT_MS = 300

type TurnPlace = SitePlace & { full?: boolean | undefined }

/**
 * Runs `work` while nobody else publishes the site, on this server or another; others wait their turn. On a shared
 * site, this server has the live release by the time `work` starts; a full publish does without one that the store lost.
 */
export function withPublishTurn<T>(db: Db, place: TurnPlace, work: () => Promise<T>): Promise<T> {
  return withTurn(db, place, work, { withLock: withFileLock }) as Promise<T>
}

/** Does the same, but returns undefined if another publish takes longer than a moment. */
export function withFreeTurn<T>(db: Db, place: TurnPlace, work: () => Promise<T>): Promise<T | undefined> {
  return withTurn(db, place, work, { withLock: withFreeLock, withinMs: MOMENT_MS })
}

/**
 * Does the same for background work; returns undefined if it gave way to another server. Its process must then end.
 */
export function withYieldingTurn<T>(
  db: Db,
  place: TurnPlace,
  work: () => Promise<T>,
): Promise<T | undefined> {
  return withTurn(db, place, work, { withLock: withFileLock, yields: true })
}

interface Turn {
  withLock: typeof withFreeLock
  withinMs?: number
  yields?: boolean
}

function withTurn<T>(
  db: Db,
  place: TurnPlace,
  work: () => Promise<T>,
  { withLock, withinMs = Number.POSITIVE_INFINITY, yields }: Turn,
): Promise<T | undefined> {
  const { dataDir, shared } = place
  if (!shared) return withLock(publishLock(dataDir), work)
  return withLock(leaseLock(dataDir), () =>
    withLease(db, { shared, dataDir, withinMs, yields }, () => withLive(db, place, work)),
  )
}

/**
 * Runs `work` while nobody else changes this server's releases. On a shared site, the server has the live release by
 * then.
 */
export function withReleases<T>(db: Db, place: SitePlace, work: () => Promise<T>): Promise<T> {
  return withFileLock(publishLock(place.dataDir), async () => {
    await takeLive(db, place)
    return work()
  })
}

function withLive<T>(db: Db, { full, ...place }: TurnPlace, work: () => Promise<T>): Promise<T> {
  return withFileLock(publishLock(place.dataDir), async () => {
    await takeLive(db, place).catch((error) => {
      if (!full || !isLostRelease(error)) throw error
    })
    await adoptRelease(db, place)
    return work()
  })
}

// Ensures that only one process of this server publishes, regardless of the database. The lock on the releases stays
// free while a process waits for the lease, so that releases of other servers can arrive.
function leaseLock(dataDir: string): string {
  return join(dataDir, 'publish-lease.lock')
}
