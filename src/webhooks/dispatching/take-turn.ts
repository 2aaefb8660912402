import type { Kysely } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import type { Db, Schema } from '../../db/schema.ts'
import type { LeaseWatch } from '../../lib/background/lease-watch.ts'
import { deleteBodies } from '../deliveries/delivery-body-store.ts'
import type { PreparedDelivery } from '../sending/prepare-delivery.ts'
import type { Readiness } from '../sending/sendable-webhook.ts'
import type { WebhookReader } from '../sending/webhook-reader.ts'
import type { AttemptRunner } from './attempt-runner.ts'
import { type Claim, type ClaimOptions, claimDueDeliveries } from './claim-due-deliveries.ts'
import { listClaims, releaseDead, renewClaims, returnClaims } from './delivery-claim-store.ts'
import { type DeliveryState, listQueueHeads, type QueueHead } from './delivery-queue-store.ts'
import { type FinishedAttempt, type RecordOptions, recordAttempts } from './record-attempts.ts'
import { type Share, shareSlots } from './share-slots.ts'

export interface TurnOptions extends Omit<ClaimOptions, 'shares' | 'webhooks'>, RecordOptions {
  reader: WebhookReader
  /** Attempts to record. */
  finished: readonly FinishedAttempt[]
  /** Deliveries of this owner that are in flight, or wait in memory for a slot. */
  claimedIds: readonly number[]
  /** True if it is time to renew their leases. */
  renewsLeases: boolean
  /** True if the turn looks for claims of dead processes. */
  looksForDead: boolean
  leaseWatch: LeaseWatch
  /** Knows what waits in memory and how much more may be claimed, those of `finished` no longer counted. */
  runner: Pick<AttemptRunner, 'waitingFor' | 'takeBack' | 'room'>
}

export interface Turn extends Claim {
  /** States of `finished`, in its order. */
  states: DeliveryState[]
  /** When something else is due; UTC text. */
  nextAt: string | undefined
}

/**
 * One turn of the dispatcher: records attempts, takes over a dead process's claims, returns deliveries that waited too
 * long, and claims due ones while slots are free. On SQLite all in one transaction with one sync to disk, and none if
 * there is nothing to write. On PostgreSQL the attempts have a transaction of their own; if the turn fails, either may
 * have been committed.
 */
export async function takeTurn(db: Kysely<Schema>, options: TurnOptions): Promise<Turn> {
  const { finished, now, owner, leaseMs, siteUrl, adminUrl } = options
  const dead = options.looksForDead ? await findDead(db, options) : []
  const { shares, webhooks, nextAt, returned } = await lookAround(db, options)
  const nothing = { states: [], ready: [], blocked: new Map(), taken: 0, nextAt }
  const writes = [finished, shares, returned, dead].some(({ length }) => length > 0)
  if (!writes && !options.renewsLeases) return nothing
  const record = (trx: Db) => recordAttempts(trx, finished, options)
  const claim = async (trx: Db) => {
    await giveBack(trx, returned, options)
    if (options.renewsLeases) await renewAll(trx, options)
    await releaseDead(trx, dead)
    return claimDueDeliveries(trx, { owner, leaseMs, now, siteUrl, adminUrl, shares, webhooks })
  }
  const [states, claimed] = await runBoth(db, record, claim)
  return { ...claimed, states, nextAt: dead.length > 0 ? now.toISOString() : nextAt }
}

// PostgreSQL does both at once, which takes a quarter less time. SQLite has one writer: one transaction has one sync.
async function runBoth<One, Other>(
  db: Kysely<Schema>,
  one: (trx: Db) => Promise<One>,
  other: (trx: Db) => Promise<Other>,
): Promise<[One, Other]> {
  if (engineOf(db) === 'sqlite')
    return db.transaction().execute(async (trx) => [await one(trx), await other(trx)])
  const works = [db.transaction().execute(one), db.transaction().execute(other)] as const
  // Neither goes on after the turn has failed.
  await Promise.allSettled(works)
  return Promise.all(works)
}

// Deliveries held by this process are not abandoned, regardless of their claims.
async function findDead(db: Db, { leaseWatch, claimedIds, finished }: TurnOptions) {
  const mine = new Set([...claimedIds, ...finished.map(({ prepared }) => prepared.job.id)])
  return leaseWatch.findDead(await listClaims(db), performance.now()).filter(({ id }) => !mine.has(id))
}

async function lookAround(db: Db, options: TurnOptions) {
  const { runner } = options
  const moment = options.now.toISOString()
  const heads = await listQueueHeads(db)
  const due = heads.filter(({ dueAt }) => dueAt <= moment)
  const later = heads.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > moment)
  const ids = new Set([...due.flatMap(({ webhookId }) => webhookId ?? []), ...runner.waitingFor()])
  const webhooks = await options.reader.read(db, [...ids], options)
  const returned = runner.takeBack(webhooks)
  const room = runner.room()
  const shares = room.free > 0 ? shareSlots(queuesOf(due, webhooks), room) : ([] as Share[])
  return { shares, webhooks, returned, nextAt: later.sort()[0] }
}

function queuesOf(due: readonly QueueHead[], webhooks: ReadonlyMap<number, Readiness>) {
  return due.map(({ webhookId, dueAt }) => {
    const readiness = webhookId === null ? undefined : webhooks.get(webhookId)
    return { webhookId, dueAt, target: readiness?.kind === 'ready' ? readiness.sendable : null }
  })
}

/**
 * Makes deliveries pending again that were claimed and not sent, and discards the bodies that their claims rendered.
 * Call it in a transaction.
 */
export async function giveBack(
  db: Db,
  returned: readonly PreparedDelivery[],
  { owner }: { owner: string },
): Promise<void> {
  const jobs = new Map(returned.map(({ job }) => [job.id, job]))
  const given = await returnClaims(db, [...jobs.keys()], { owner })
  const rendered = given.filter((id) => jobs.get(id)?.requestBody === null)
  await deleteBodies(db, rendered)
}

async function renewAll(db: Db, { claimedIds, now, owner, leaseMs }: TurnOptions) {
  const leaseExpiresAt = new Date(now.getTime() + leaseMs)
  if (claimedIds.length > 0) await renewClaims(db, claimedIds, { owner, leaseExpiresAt })
}
