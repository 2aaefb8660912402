import type { Kysely } from 'kysely'
import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db, Schema } from '../../db/schema.ts'
import type { DeliveryStatus } from '../../db/tables/webhook-tables.ts'
import { listSpamAmong } from '../body/submission-subject-store.ts'
import { webhookVersion } from '../definition/edit-webhook.ts'
import type { Webhook } from '../definition/webhook.ts'
import { findWebhook } from '../definition/webhook-store.ts'
import { type DeliveryFilter, findDelivery, listReplayable } from '../deliveries/delivery-log-store.ts'
import { insertRequestedDelivery, type RequestedDelivery } from '../deliveries/delivery-store.ts'
import { judgeToday, type VerdictOfToday } from './judge-today.ts'

const BATCH = 200
const REPLAYED_STATUSES: readonly DeliveryStatus[] = ['failed', 'cancelled']

/** *Same bytes* keeps the body and `webhook-id`; *render again* uses the current webhook and a new ID. */
export type ReplayMode = 'same_bytes' | 'render_again'

/** A new delivery, and whether it waits for a paused webhook; or why there is none. */
export type Replay = { kind: 'queued'; deliveryId: number; isPaused?: true } | Refusal

type Refusal =
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
  /** The current conditions of the webhook do not match; a person may `confirm` it. */
  | { kind: 'not_matching'; webhook: Webhook; verdict: VerdictOfToday }

interface ReplayOptions {
  /** The leads in scope; others are not found. */
  scope: LeadScope
  mode: ReplayMode
  /** Public origin without a trailing slash. */
  siteUrl: string
  now: Date
  /**
   * The `webhookVersion` that a person confirmed: the lead is sent although it does not match the conditions. A webhook
   * that changed since then asks again.
   */
  confirmed?: string | undefined
}

/**
 * Resends a finished delivery as a new one with all its retries, unless the current conditions of its webhook do not
 * match. The original and its log stay unchanged. Wake the dispatcher afterward.
 */
export function replayDelivery(db: Kysely<Schema>, id: number, options: ReplayOptions): Promise<Replay> {
  return db.transaction().execute((trx) => replay(trx, id, options))
}

/** The same for several deliveries; one that cannot be resent does not hold back the others. */
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
 * The same for everything that a filter matches, oldest first: failed and canceled deliveries unless it names another
 * status, without tests and without those that were resent already.
 */
export async function replayMatching(
  db: Kysely<Schema>,
  filter: Omit<DeliveryFilter, 'scope'>,
  options: ReplayOptions,
): Promise<Map<number, Replay>> {
  // Deliveries made here are not included.
  const { now, scope } = options
  const wanted = { scope, status: REPLAYED_STATUSES, until: now.toISOString(), ...withoutUndefined(filter) }
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

function withoutUndefined(filter: Omit<DeliveryFilter, 'scope'>): Omit<DeliveryFilter, 'scope'> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}

/** Returns what a replay would do, without sending anything. */
export async function checkReplay(
  db: Db,
  id: number,
  options: Omit<ReplayOptions, 'now'>,
): Promise<{ kind: 'ready'; webhook: Webhook } | Refusal> {
  const checked = await check(db, id, options)
  return checked.kind === 'ready' ? { kind: 'ready', webhook: checked.webhook } : checked
}

async function replay(db: Db, id: number, { now, ...options }: ReplayOptions): Promise<Replay> {
  const checked = await check(db, id, options)
  if (checked.kind !== 'ready') return checked
  const deliveryId = await insertRequestedDelivery(db, checked.delivery, { now })
  return { kind: 'queued', deliveryId, ...(checked.webhook.pausedAt !== null && { isPaused: true }) }
}

type Checked = { kind: 'ready'; webhook: Webhook; delivery: RequestedDelivery } | Refusal

async function check(db: Db, id: number, options: Omit<ReplayOptions, 'now'>): Promise<Checked> {
  const delivery = await findDelivery(db, id, options.scope)
  if (!delivery) return { kind: 'not_found' }
  if (delivery.finishedAt === null) return { kind: 'unfinished' }
  const webhook = delivery.webhookId === null ? undefined : await findWebhook(db, delivery.webhookId)
  if (!webhook) return { kind: 'webhook_gone' }
  if (!webhook.enabled && !delivery.isTest) return { kind: 'webhook_off' }
  if (!delivery.isTest && (await isOfSpam(db, delivery))) return { kind: 'spam' }
  const again = toRequested(delivery, webhook, options.mode)
  if (again.kind !== 'ready') return again
  return (await findMismatch(db, { delivery, webhook }, options)) ?? { ...again, webhook }
}

// A lead that the webhook does not, or no longer, match is sent only after a confirmation.
async function findMismatch(
  db: Db,
  { delivery, webhook }: Again,
  { siteUrl, confirmed }: Omit<ReplayOptions, 'now'>,
): Promise<Refusal | undefined> {
  const { submissionId, isTest } = delivery
  if (isTest || submissionId === null || confirmed === webhookVersion(webhook)) return undefined
  const verdict = await judgeToday(db, webhook, submissionId, { siteUrl })
  return verdict && !verdict.fires ? { kind: 'not_matching', webhook, verdict } : undefined
}

// Deliveries canceled for that reason resume when the submission is marked as not spam.
async function isOfSpam(db: Db, { submissionId }: { submissionId: number | null }): Promise<boolean> {
  return submissionId !== null && (await listSpamAmong(db, [submissionId])).has(submissionId)
}

type Again = { delivery: NonNullable<Awaited<ReturnType<typeof findDelivery>>>; webhook: Webhook }

function toRequested({ id, ...delivery }: Again['delivery'], webhook: Webhook, mode: ReplayMode) {
  const { submissionId, formId, isTest, messageId, body } = delivery
  const again = { submissionId, formId, webhookId: webhook.id, isTest, replayOf: id }
  if (mode === 'render_again') {
    if (submissionId === null) return { kind: 'no_submission' } as const
    return { kind: 'ready', delivery: { ...again, body: null } } as const
  }
  const isWithoutBody = webhook.method === 'GET' && delivery.attemptCount > 0
  if (messageId === null || (body === null && !isWithoutBody)) return { kind: 'nothing_was_sent' } as const
  return { kind: 'ready', delivery: { ...again, messageId, body } } as const
}
