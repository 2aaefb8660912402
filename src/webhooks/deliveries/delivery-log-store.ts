import { type Kysely, type Selectable, sql } from 'kysely'
import { type LeadScope, namesInScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db, Schema } from '../../db/schema.ts'
import { type FromRow, fromRow } from '../../db/tables/columns.ts'
import type { DeliveryStatus } from '../../db/tables/webhook-tables.ts'
import type { ConditionTrace } from '../../messages/admin/webhooks/conditions.ts'
import type { DeliveryReason } from '../../messages/admin/webhooks/reasons.ts'
import { type ReasonRow, readReason, readTrace, reasonColumns } from '../reasons/reason-columns.ts'

type DeliveryRow = Selectable<Schema['webhook_deliveries']>
type RecordRow = Omit<DeliveryRow, 'claimed_by' | 'lease_expires_at'> & { webhook_name: string | null }

/** A row that `toRecord` reads. */
export type LogRow = RecordRow & { paused_at: string | null }

/** A delivery as the log shows it; webhook ID and name are null when the webhook was deleted. */
export interface DeliveryRecord extends FromRow<Omit<RecordRow, keyof ReasonRow>> {
  /** True if its webhook is paused, so that nothing is sent. */
  isPaused: boolean
  /** Why it was skipped, failed or canceled. */
  reason: DeliveryReason | null
  /** Each rule of the condition with the value it saw, stored for skipped deliveries. */
  trace: ConditionTrace | null
}

/** The filter of deliveries; a missing key means all. */
export interface DeliveryFilter {
  /**
   * The leads whose deliveries count. Deliveries without a lead, such as tests with sample answers, are outside every
   * limited scope.
   */
  scope: LeadScope
  formId?: number | undefined
  webhookId?: number | undefined
  submissionId?: number | undefined
  status?: DeliveryStatus | readonly DeliveryStatus[] | undefined
  /** Created at this moment or later; UTC text. */
  from?: string | undefined
  /** Created before this moment; UTC text. */
  until?: string | undefined
}

/** Deliveries, newest first. `next` is the `before` of the next page, undefined on the last. */
export async function listDeliveries(
  db: Db,
  { before, limit, ...filter }: DeliveryFilter & { before?: number | undefined; limit: number },
): Promise<{ deliveries: DeliveryRecord[]; next: number | undefined }> {
  let query = selectFiltered(db, filter)
  if (before !== undefined) query = query.where('webhook_deliveries.id', '<', before)
  const rows = await query
    .orderBy('webhook_deliveries.id', 'desc')
    .limit(limit + 1)
    .execute()
  const deliveries = rows.slice(0, limit).map(toRecord)
  return { deliveries, next: rows.length > limit ? deliveries.at(-1)?.id : undefined }
}

/** A delivery with its body. */
export async function findDelivery(
  db: Db,
  id: number,
  scope: LeadScope,
): Promise<(DeliveryRecord & { body: string | null }) | undefined> {
  const row = await selectRecords(db)
    .leftJoin('delivery_bodies', 'delivery_bodies.delivery_id', 'webhook_deliveries.id')
    .select('body')
    .where('webhook_deliveries.id', '=', id)
    .where(ofLeads(db, scope))
    .executeTakeFirst()
  if (!row) return undefined
  return { ...toRecord(row), body: row.body }
}

/** Lists the IDs of these deliveries, oldest first, without tests and without those that were resent. */
export async function listReplayable(
  db: Db,
  filter: DeliveryFilter,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await selectFiltered(db, filter)
    .where('is_test', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_deliveries as again')
            .select('again.id')
            .whereRef('again.replay_of', '=', 'webhook_deliveries.id'),
        ),
      ),
    )
    .where('webhook_deliveries.id', '>', after)
    .orderBy('webhook_deliveries.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export interface Cancellable extends Omit<DeliveryFilter, 'status'> {
  ids?: readonly number[] | undefined
  isTest?: boolean | undefined
}

/** Cancels the pending ones among these; attempts in flight finish as usual. Returns the number canceled. */
export async function cancelPending(
  db: Db,
  filter: Cancellable,
  { reason, now }: { reason: DeliveryReason; now: Date },
): Promise<number> {
  const { scope, ids, formId, webhookId, submissionId, isTest, from, until } = filter
  let query = db
    .updateTable('webhook_deliveries')
    .set({ status: 'cancelled', ...reasonColumns(reason), next_attempt_at: null })
    .set({ finished_at: now.toISOString() })
    .where('status', '=', 'pending')
    .where(ofLeads(db, scope))
  if (ids !== undefined) query = query.where('id', 'in', ids)
  if (formId !== undefined) query = query.where('form_id', '=', formId)
  if (webhookId !== undefined) query = query.where('webhook_id', '=', webhookId)
  if (submissionId !== undefined) query = query.where('submission_id', '=', submissionId)
  if (isTest !== undefined) query = query.where('is_test', '=', isTest ? 1 : 0)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (until !== undefined) query = query.where('created_at', '<', until)
  return Number((await query.executeTakeFirst()).numUpdatedRows)
}

/** Selects what `toRecord` reads of these deliveries. */
export function selectFiltered(
  db: Db,
  { scope, formId, webhookId, submissionId, status, from, until }: DeliveryFilter,
) {
  let query = selectRecords(db).where(ofLeads(db, scope))
  // A rare state is read by its own index instead of by form or webhook: SQLite would choose the wrong one.
  const own = typeof status === 'string' && RARE.includes(status) ? withoutIndex : sql.ref
  if (formId !== undefined) query = query.where(own<number>('webhook_deliveries.form_id'), '=', formId)
  if (webhookId !== undefined)
    query = query.where(own<number>('webhook_deliveries.webhook_id'), '=', webhookId)
  if (submissionId !== undefined) query = query.where('submission_id', '=', submissionId)
  if (status !== undefined) query = query.where(isOneOf(status))
  // Few rows among very many, found by the index of their leases.
  if (status === 'delivering') query = query.where('webhook_deliveries.id', 'in', selectClaimed(db))
  if (from !== undefined) query = query.where('webhook_deliveries.created_at', '>=', from)
  if (until !== undefined) query = query.where('webhook_deliveries.created_at', '<', until)
  return query
}

function ofLeads(db: Db, scope: LeadScope) {
  const { forms } = scope
  const form = (forms?.length === 1 ? sql.ref : withoutIndex)<number>('webhook_deliveries.form_id')
  const ofLead = namesInScope(db, scope, 'webhook_deliveries.submission_id')
  // Filters by the form's own column too, so that its index gives the newest rows of one form.
  return forms === null
    ? ofLead
    : sql<boolean>`${form} in (${sql.join(forms.length === 0 ? [0] : forms)}) and ${ofLead}`
}

const RARE: readonly DeliveryStatus[] = ['failed', 'cancelled', 'pending', 'delivering']

function withoutIndex<Value>(column: string) {
  return sql<Value>`(${sql.ref(column)} + 0)`
}

// As literals: SQLite uses a partial index only for a value that it knows when it prepares the statement.
function isOneOf(status: DeliveryStatus | readonly DeliveryStatus[]) {
  const words = [status].flat().map((one) => sql.lit(one))
  return words.length === 1
    ? sql<boolean>`status = ${words[0]}`
    : sql<boolean>`status in (${sql.join(words)})`
}

function selectClaimed(db: Db) {
  const claimed = (db as Kysely<Schema>).selectFrom('webhook_deliveries as claimed').select('claimed.id')
  return claimed
    .where('claimed.status', '=', sql.lit('delivering' as const))
    .where('claimed.lease_expires_at', '>', '')
}

function selectRecords(db: Db) {
  return (db as Kysely<Schema>)
    .selectFrom('webhook_deliveries')
    .leftJoin('form_webhooks', 'form_webhooks.id', 'webhook_deliveries.webhook_id')
    .select(['form_webhooks.name as webhook_name', 'form_webhooks.paused_at'])
    .select(['webhook_deliveries.id', 'submission_id', 'webhook_deliveries.form_id', 'webhook_id'])
    .select(['status', 'webhook_deliveries.created_at', 'message_id'])
    .select(['attempt_count', 'next_attempt_at', 'outcome_code', 'outcome_params_json', 'trace_json'])
    .select(['finished_at', 'is_test', 'replay_of'])
}

/** Returns a selected row as a record. */
export function toRecord({
  paused_at: pausedAt,
  outcome_code,
  outcome_params_json,
  trace_json,
  ...row
}: LogRow): DeliveryRecord {
  const kept = { outcome_code, outcome_params_json, trace_json }
  return { ...fromRow(row), isPaused: pausedAt !== null, reason: readReason(kept), trace: readTrace(kept) }
}
