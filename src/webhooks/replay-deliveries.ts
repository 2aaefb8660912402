import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import type { DeliveryStatus } from '../db/webhook-tables.ts'
import { type DeliveryFilter, findDelivery, listReplayable } from './delivery-log-store.ts'
import { insertRequestedDelivery } from './delivery-store.ts'
import { listSpamAmong } from './submission-subject-store.ts'
import type { Webhook } from './webhook.ts'
import { findWebhook } from './webhook-store.ts'

const BATCH = 200
const REPLAYED_STATUSES: readonly DeliveryStatus[] = ['failed', 'cancelled']

/** *Send the same bytes again* keeps body and `webhook-id`; *render again* uses today's webhook and a new id. */
export type ReplayMode = 'same_bytes' | 'render_again'

/** A new delivery, and whether it waits for a webhook that is paused; or why there is none. */
export type Replay =
  | { kind: 'queued'; deliveryId: number; isPaused?: true }
  | {
      kind:
        | 'not_found'
        | 'unfinished'
        | 'nothing_was_sent'
        | 'no_submission'
        | 'spam'
        | 'webhook_gone'
        | 'webhook_off'
    }

interface ReplayOptions {
  mode: ReplayMode
  now: Date
}

/**
 * Sends a finished delivery again, as a delivery of its own with all its retries; the condition is not asked again.
 * The first one and its log stay as they are. Wake the dispatcher after it.
 */
export function replayDelivery(db: Kysely<Schema>, id: number, options: ReplayOptions): Promise<Replay> {
  return db.transaction().execute((trx) => replay(trx, id, options))
}

/** The same for several; one that cannot be sent again does not keep the others from it. */
export function replayDeliveries(
  db: Kysely<Schema>,
  ids: readonly number[],
  options: ReplayOptions,
): Promise<Map<number, Replay>> {
  return db.transaction().execute(async (trx) => {
    const replays = new Map<number, Replay>()
    for (const id of ids) replays.set(id, await replay(trx, id, options))
    return replays
  })
}

/**
 * The same for all that a filter names, oldest first; failed and cancelled ones unless it says another status. Tests
 * are left out, and so is what was sent again already.
 */
export async function replayMatching(
  db: Kysely<Schema>,
  filter: DeliveryFilter,
  options: ReplayOptions,
): Promise<Map<number, Replay>> {
  // What is made here is not meant itself.
  const wanted = { status: REPLAYED_STATUSES, until: options.now.toISOString(), ...withoutUndefined(filter) }
  const replays = new Map<number, Replay>()
  let ids: number[]
  let after = 0
  do {
    ids = await listReplayable(db, wanted, { after, limit: BATCH })
    for (const [id, outcome] of await replayDeliveries(db, ids, options)) replays.set(id, outcome)
    after = ids.at(-1) ?? 0
  } while (ids.length === BATCH)
  return replays
}

function withoutUndefined(filter: DeliveryFilter): DeliveryFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}

async function replay(db: Db, id: number, options: ReplayOptions): Promise<Replay> {
  const delivery = await findDelivery(db, id)
  if (!delivery) return { kind: 'not_found' }
  if (delivery.finishedAt === null) return { kind: 'unfinished' }
  const webhook = delivery.webhookId === null ? undefined : await findWebhook(db, delivery.webhookId)
  if (!webhook) return { kind: 'webhook_gone' }
  if (!webhook.enabled && !delivery.isTest) return { kind: 'webhook_off' }
  if (!delivery.isTest && (await isOfSpam(db, delivery))) return { kind: 'spam' }
  return sendAgain(db, { delivery, webhook }, options)
}

// What is cancelled for it goes on when the submission is taken out of spam.
async function isOfSpam(db: Db, { submissionId }: { submissionId: number | null }): Promise<boolean> {
  return submissionId !== null && (await listSpamAmong(db, [submissionId])).has(submissionId)
}

type Again = { delivery: NonNullable<Awaited<ReturnType<typeof findDelivery>>>; webhook: Webhook }

async function sendAgain(
  db: Db,
  { delivery, webhook }: Again,
  { mode, now }: ReplayOptions,
): Promise<Replay> {
  const { id, submissionId, formId, isTest, messageId, body } = delivery
  const again = { submissionId, formId, webhookId: webhook.id, isTest, replayOf: id }
  if (mode === 'render_again') {
    if (submissionId === null) return { kind: 'no_submission' }
    return queued(await insertRequestedDelivery(db, { ...again, body: null }, { now }), webhook)
  }
  const isWithoutBody = webhook.method === 'GET' && delivery.attemptCount > 0
  if (messageId === null || (body === null && !isWithoutBody)) return { kind: 'nothing_was_sent' }
  return queued(await insertRequestedDelivery(db, { ...again, messageId, body }, { now }), webhook)
}

function queued(deliveryId: number, { pausedAt }: Webhook): Replay {
  return { kind: 'queued', deliveryId, ...(pausedAt !== null && { isPaused: true }) }
}
