import type { Db } from '../db/schema.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { claimDeliveries, settleClaim } from './delivery-queue-store.ts'
import { listDeliveryJobs, storeRequestBodies } from './delivery-store.ts'
import { type Preparation, type PreparedDelivery, prepareDelivery } from './prepare-delivery.ts'
import type { Share } from './share-slots.ts'

export interface ClaimOptions {
  /** How many of which webhook. */
  shares: readonly Share[]
  now: Date
  leaseMs: number
  /** Who claims; nobody else may settle what is claimed before the lease ends. */
  owner: string
  secretBox: SecretBox
  siteUrl: string
}

export interface Claim {
  /** To be sent by whoever made the claim. */
  ready: PreparedDelivery[]
  /** How many due deliveries were dealt with, those included that cannot be sent any more. */
  taken: number
}

/**
 * Takes due deliveries for sending, each with its body stored: until the lease ends nobody else gets them, and after
 * it, or after a crash, somebody does. Those that cannot be sent any more are settled here. In a transaction.
 */
export async function claimDueDeliveries(db: Db, options: ClaimOptions): Promise<Claim> {
  const { now, owner, leaseMs } = options
  const leaseExpiresAt = new Date(now.getTime() + leaseMs)
  const ids: number[] = []
  for (const share of options.shares)
    ids.push(...(await claimDeliveries(db, share, { now, owner, leaseExpiresAt })))
  const jobs = await listDeliveryJobs(db, ids)
  const preparations = jobs.map((job) => prepareDelivery(job, options))
  const ready = preparations.filter(({ kind }) => kind === 'ready') as PreparedDelivery[]
  await storeRequestBodies(db, newBodiesOf(ready))
  for (const preparation of preparations) {
    if (preparation.kind !== 'ready') await settle(db, preparation, options)
  }
  return { ready, taken: ids.length }
}

function newBodiesOf(ready: readonly PreparedDelivery[]): Map<number, string> {
  const unrendered = ready.filter(({ job }) => job.requestBody === null)
  return new Map(unrendered.flatMap(({ job, body }) => (body === null ? [] : [[job.id, body]])))
}

async function settle(
  db: Db,
  { job, kind, reason }: Exclude<Preparation, { kind: 'ready' }>,
  { now, owner }: ClaimOptions,
) {
  const finished = { nextAttemptAt: null, finishedAt: now, attemptCount: job.attemptCount }
  await settleClaim(db, job, { owner, state: { ...finished, status: kind, outcomeReason: reason } })
}
