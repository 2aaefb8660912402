import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { type Claim, type ClaimOptions, claimDueDeliveries } from './claim-due-deliveries.ts'
import {
  type DeliveryState,
  hasExpiredClaims,
  readQueues,
  releaseClaims,
  renewClaims,
} from './delivery-queue-store.ts'
import { type FinishedAttempt, type RecordOptions, recordAttempts } from './record-attempts.ts'
import { type DueQueue, type Share, shareSlots } from './share-slots.ts'

export interface TurnOptions extends Omit<ClaimOptions, 'shares'>, RecordOptions {
  /** Attempts to write down. */
  finished: readonly FinishedAttempt[]
  /** Deliveries of this owner that are in flight. */
  inFlightIds: readonly number[]
  /** Whether it is time to renew their leases. */
  renewsLeases: boolean
  /** The room for new attempts, those of `finished` no longer counted. */
  room: Parameters<typeof shareSlots>[1]
}

export interface Turn extends Claim {
  /** What became of `finished`, in its order. */
  states: DeliveryState[]
  /** When something else is due; UTC text. */
  nextAt: string | undefined
}

/**
 * One turn of the dispatcher: writes down what was sent, takes up what a dead process left behind, claims what is due
 * and there is room for. All in one transaction, one wait for the disk; and in none when there is nothing to write.
 */
export async function takeTurn(db: Kysely<Schema>, options: TurnOptions): Promise<Turn> {
  const { finished, now } = options
  const hasExpired = await hasExpiredClaims(db, options)
  const { due, nextAt } = await readQueues(db, options)
  const shares = dealRoom(due, options)
  if (finished.length + shares.length === 0 && !hasExpired && !options.renewsLeases) {
    return { states: [], ready: [], taken: 0, nextAt }
  }
  return db.transaction().execute(async (trx) => {
    const states = await recordAttempts(trx, finished, options)
    if (options.renewsLeases || hasExpired) await renewInFlight(trx, options)
    if (hasExpired) await releaseClaims(trx, { expiredAt: now })
    const claim = await claimDueDeliveries(trx, { ...options, shares })
    return { ...claim, states, nextAt: hasExpired ? now.toISOString() : nextAt }
  })
}

function dealRoom(due: readonly DueQueue[], { room }: TurnOptions): Share[] {
  return room.free > 0 ? shareSlots(due, room) : []
}

async function renewInFlight(db: Db, { inFlightIds, now, owner, leaseMs }: TurnOptions) {
  const leaseExpiresAt = new Date(now.getTime() + leaseMs)
  if (inFlightIds.length > 0) await renewClaims(db, inFlightIds, { owner, leaseExpiresAt })
}
