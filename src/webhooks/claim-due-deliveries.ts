import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import {
  type DueDelivery,
  listDeliveryJobs,
  listDueDeliveries,
  markDelivering,
  releaseClaims,
  settleClaim,
  storeRequestBody,
} from './delivery-store.ts'
import { type Preparation, type PreparedDelivery, prepareDelivery } from './prepare-delivery.ts'

export interface ClaimOptions {
  now: Date
  leaseMs: number
  /** How many may be claimed in all. */
  limit: number
  /** How many may be in flight to one origin, those of `inFlight` included. */
  perOrigin: number
  inFlight: ReadonlyMap<string, number>
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
 * Takes due deliveries for sending, each with its body stored, in one transaction: until the lease ends nobody else
 * gets them, and after it, or after a crash, somebody does. Those that cannot be sent any more are settled here.
 */
export function claimDueDeliveries(db: Kysely<Schema>, options: ClaimOptions): Promise<Claim> {
  const leaseExpiresAt = new Date(options.now.getTime() + options.leaseMs)
  return db.transaction().execute(async (trx) => {
    await releaseClaims(trx, { expiredAt: options.now })
    const ids = await chooseDue(trx, options)
    await markDelivering(trx, ids, { leaseExpiresAt })
    const jobs = await listDeliveryJobs(trx, ids)
    const preparations = jobs.map((job) => prepareDelivery(job, options))
    for (const preparation of preparations) await storePreparation(trx, preparation, options)
    const ready = preparations.filter((preparation) => preparation.kind === 'ready')
    return { ready, taken: ids.length }
  })
}

/** `https://hooks.example.com` of a destination; its own text when it is no address. */
export function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url
}

interface Choice {
  ids: Set<number>
  fullWebhookIds: Set<number>
  /** In flight by origin, with what was chosen. */
  counts: Map<string, number>
}

// Rows of a full origin are left where they are, and the next look passes over their webhooks: so the rows of one slow
// receiver, however many, hide nobody else's.
async function chooseDue(trx: Db, { now, limit, perOrigin, inFlight }: ClaimOptions): Promise<number[]> {
  const choice: Choice = { ids: new Set(), fullWebhookIds: new Set(), counts: new Map(inFlight) }
  let fullBefore = -1
  while (choice.ids.size < limit && choice.fullWebhookIds.size > fullBefore) {
    fullBefore = choice.fullWebhookIds.size
    const exceptWebhookIds = [...choice.fullWebhookIds]
    const due = await listDueDeliveries(trx, { now, limit: limit + choice.ids.size, exceptWebhookIds })
    for (const delivery of due) choose(delivery, choice, { limit, perOrigin })
  }
  return [...choice.ids]
}

function choose(
  delivery: DueDelivery,
  choice: Choice,
  { limit, perOrigin }: { limit: number; perOrigin: number },
) {
  if (choice.ids.size >= limit || choice.ids.has(delivery.id)) return
  if (takePlace(delivery, choice.counts, perOrigin)) choice.ids.add(delivery.id)
  else choice.fullWebhookIds.add(delivery.webhookId ?? 0)
}

function takePlace({ url }: DueDelivery, counts: Map<string, number>, perOrigin: number): boolean {
  // The webhook is gone: nothing will be sent.
  if (url === null) return true
  const origin = originOf(url)
  const count = counts.get(origin) ?? 0
  if (count >= perOrigin) return false
  counts.set(origin, count + 1)
  return true
}

async function storePreparation(trx: Db, preparation: Preparation, { now }: { now: Date }) {
  const { job } = preparation
  if (preparation.kind === 'ready') {
    const isNew = preparation.body !== null && job.requestBody === null
    if (isNew) await storeRequestBody(trx, job.id, preparation.body ?? '')
    return
  }
  await settleClaim(trx, job, {
    status: preparation.kind,
    attemptCount: job.attemptCount,
    nextAttemptAt: null,
    outcomeReason: preparation.reason,
    finishedAt: now,
  })
}
