import type { Db } from '../../db/schema.ts'
import type { DeliveryReason } from '../../messages/admin/webhooks/reasons.ts'
import type { Origins } from '../body/submission-meta.ts'
import { type DeliveryBody, insertBodies } from '../deliveries/delivery-body-store.ts'
import { readJobs } from '../deliveries/delivery-store.ts'
import { type Preparation, type PreparedDelivery, prepareDelivery } from '../sending/prepare-delivery.ts'
import type { Readiness } from '../sending/sendable-webhook.ts'
import { claimDeliveries } from './delivery-claim-store.ts'
import { bringForward, listDue, settleDue } from './delivery-queue-store.ts'
import { LONGEST_DELAY_MS } from './retry-schedule.ts'
import type { Share } from './share-slots.ts'

/** Time between checks of deliveries that need a person before they can be sent. */
const BLOCKED_MS = 60_000

export interface ClaimOptions extends Origins {
  /** Numbers of deliveries by webhook. */
  shares: readonly Share[]
  /** The webhooks of `shares`; those that are missing were deleted. */
  webhooks: ReadonlyMap<number, Readiness>
  now: Date
  leaseMs: number
  /** Owner of the claims; no one else may end them before the lease does. */
  owner: string
}

export interface Claim {
  /** Sent by the claim's owner. */
  ready: PreparedDelivery[]
  /** Reasons that keep webhooks from being sent although they are due. */
  blocked: ReadonlyMap<number, DeliveryReason>
  /** Number of due deliveries that were handled, including those that cannot be sent. */
  taken: number
}

/**
 * Claims due deliveries for sending, each with its body stored. No other process gets them until the lease ends; after
 * that, or after a crash, another one does. Deliveries that can no longer be sent are ended; those that a person can
 * fix wait another minute. Call it in a transaction.
 */
export async function claimDueDeliveries(db: Db, options: ClaimOptions): Promise<Claim> {
  const rows = []
  for (const share of options.shares) rows.push(...(await listDue(db, share, options)))
  const preparations = (await readJobs(db, rows)).map((job) => {
    const readiness = job.webhookId === null ? undefined : options.webhooks.get(job.webhookId)
    return prepareDelivery(job, readiness, options)
  })
  const ready = preparations.filter(({ kind }) => kind === 'ready') as PreparedDelivery[]
  const others = preparations.filter(({ kind }) => kind !== 'ready') as Unsendable[]
  const leaseExpiresAt = new Date(options.now.getTime() + options.leaseMs)
  const ids = ready.map(({ job }) => job.id)
  await claimDeliveries(db, ids, { owner: options.owner, leaseExpiresAt })
  await insertBodies(db, ready.flatMap(newBodyOf))
  for (const one of others) await settle(db, one, options)
  return { ready, blocked: blockedOf(others), taken: rows.length }
}

function newBodyOf({ job, body }: PreparedDelivery): DeliveryBody[] {
  return body === null || job.requestBody !== null ? [] : [{ deliveryId: job.id, body }]
}

type Unsendable = Exclude<Preparation, { kind: 'ready' }>

async function settle(db: Db, { job, kind, reason }: Unsendable, { now }: ClaimOptions) {
  const nextAttemptAt = new Date(now.getTime() + BLOCKED_MS)
  const state =
    kind === 'blocked'
      ? { status: 'pending' as const, nextAttemptAt, finishedAt: null, reason }
      : { status: kind, nextAttemptAt: null, finishedAt: now, reason }
  await settleDue(db, job.id, state)
}

function blockedOf(others: readonly Unsendable[]): Map<number, DeliveryReason> {
  const blocked = others.filter(({ kind }) => kind === 'blocked')
  return new Map(blocked.map(({ job, reason }) => [job.webhookId ?? 0, reason]))
}

/**
 * Makes deliveries due that a clock ahead of this one planned: first attempts that nothing holds back, and those
 * waiting longer than the longest delay.
 */
export function mendSchedule(db: Db, { now }: { now: Date }): Promise<void> {
  const later = (delayMs: number) => new Date(now.getTime() + delayMs)
  return bringForward(db, { now, latestFirst: later(BLOCKED_MS), latestRetry: later(LONGEST_DELAY_MS) })
}
