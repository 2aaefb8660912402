import type { Kysely } from 'kysely'
import { engineOf } from '../db/dialects.ts'
import type { Schema } from '../db/schema.ts'
import { createLeaseWatch, type LeasedClaim } from '../lib/background/lease-watch.ts'
import { createLoop } from '../lib/background/loop.ts'
import type { Log } from '../lib/log.ts'
import { logTexts } from '../messages/server/log.ts'
import { type ClaimedMail, listMailClaims, type Outbox, renewMailClaims } from './outbox-store.ts'
import { LEASE_MS } from './outbox-turns.ts'

const EVERY_MS = 1_000
/** A claim that isn't renewed for this long, by the observer's clock, has no owner. */
const DEAD_AFTER_MS = 4_000

interface KeeperOptions {
  db: Kysely<Schema>
  outbox: Outbox
  /** Lists this process's claims. */
  held: () => readonly ClaimedMail[]
  /** Ends the claims of dead processes. */
  endDead: (dead: readonly LeasedClaim[]) => Promise<void>
  now: () => Date
  logger: Log
}

/**
 * Renews this process's claims every second, and ends claims that no process renews: after a server dies, its mail
 * waits 5 seconds, not until the lease expires. Clocks are never compared. Does nothing on SQLite, where there is one
 * server.
 */
export function createClaimKeeper({ logger, ...options }: KeeperOptions) {
  const turn = createKeeperTurn(options)
  const loop = createLoop({ everyMs: EVERY_MS, turn, failure: logTexts.mailerFailed, log: logger })
  const isShared = engineOf(options.db) === 'postgres'
  return {
    start: () => (isShared ? loop.start() : undefined),
    stop: () => (isShared ? loop.stop() : Promise.resolve()),
  }
}

/** Returns the keeper's work, which is done every second. */
export function createKeeperTurn({ db, outbox, held, endDead, now }: Omit<KeeperOptions, 'logger'>) {
  const watch = createLeaseWatch(DEAD_AFTER_MS)
  return async () => {
    const claims = [...new Set(held().map(({ claim }) => claim))]
    const leaseExpiresAt = new Date(now().getTime() + LEASE_MS)
    if (claims.length > 0) await renewMailClaims(db, outbox, { claims, leaseExpiresAt })
    const mine = new Set(held().map(({ id }) => id))
    const all = await listMailClaims(db, outbox)
    const dead = watch.findDead(all, performance.now()).filter(({ id }) => !mine.has(id))
    if (dead.length > 0) await endDead(dead)
  }
}
