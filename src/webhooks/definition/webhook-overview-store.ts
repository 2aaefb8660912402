import { sql } from 'kysely'
import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import type { DeliveryStatus } from '../../db/tables/webhook-tables.ts'
import type { Webhook } from './webhook.ts'
import { toWebhook } from './webhook-store.ts'

/** A webhook in a list: its destination, health, and pending deliveries. */
export interface WebhookOverview extends Webhook {
  form: { slug: string; name: string }
  /** One word: off, paused, failing or on. */
  health: 'off' | 'paused' | 'failing' | 'on'
  hasConditions: boolean
  /** Number of pending deliveries, and the time since which the oldest is due (UTC text). */
  waiting: number
  dueSince: string | null
  lastDelivery: { id: number; status: DeliveryStatus; createdAt: string } | undefined
}

/** The webhooks of a form, or of all, by form and age. */
export async function listWebhookOverviews(
  db: Db,
  { formId }: { formId?: number } = {},
): Promise<WebhookOverview[]> {
  const rows = await selectOverviews(db, formId).execute()
  const latestIds = rows.flatMap(({ last_id: id }) => id ?? [])
  const latest = await findDeliveryHeads(db, latestIds)
  return rows.map((row) => ({
    ...toWebhook(row),
    form: { slug: row.form_slug, name: row.form_name },
    health: healthOf(row),
    hasConditions: row.fire_on_json !== null && row.fire_on_json !== '{}',
    waiting: Number(row.waiting ?? 0),
    dueSince: row.due_since,
    lastDelivery: row.last_id === null ? undefined : latest.get(row.last_id),
  }))
}

// As a literal: SQLite uses a partial index only for a value that it knows when it prepares the statement.
const PENDING = sql.lit('pending' as const)

function selectOverviews(db: Db, formId: number | undefined) {
  let query = db
    .selectFrom('form_webhooks as webhook')
    .innerJoin('forms', 'forms.id', 'webhook.form_id')
    .selectAll('webhook')
    .select(['forms.slug as form_slug', 'forms.name as form_name'])
    .select(({ selectFrom }) => {
      const own = selectFrom('webhook_deliveries').whereRef('webhook_id', '=', 'webhook.id')
      const waiting = own.where('status', '=', PENDING)
      return [
        own.select(({ fn }) => fn.max('id').as('id')).as('last_id'),
        waiting.select(({ fn }) => fn.countAll<number>().as('count')).as('waiting'),
        waiting.select(({ fn }) => fn.min('next_attempt_at').as('at')).as('due_since'),
      ]
    })
  if (formId !== undefined) query = query.where('webhook.form_id', '=', formId)
  return query.orderBy('forms.name').orderBy('forms.id').orderBy('webhook.id')
}

async function findDeliveryHeads(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return new Map()
  const query = db.selectFrom('webhook_deliveries').select(['id', 'status', 'created_at'])
  const rows = await query.where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, status, created_at: createdAt }) => [id, { id, status, createdAt }]))
}

function healthOf(row: { enabled: 0 | 1; paused_at: string | null; failing_since: string | null }) {
  if (row.enabled === 0) return 'off'
  if (row.paused_at !== null) return 'paused'
  return row.failing_since === null ? 'on' : 'failing'
}

/** A webhook as a menu names it. */
export interface WebhookName {
  id: number
  name: string
  form: { id: number; name: string }
}

/** The webhooks of the forms whose leads someone may see, by form and name. */
export async function listWebhookNames(db: Db, { forms }: Pick<LeadScope, 'forms'>): Promise<WebhookName[]> {
  const rows = await db
    .selectFrom('form_webhooks as webhook')
    .innerJoin('forms', 'forms.id', 'webhook.form_id')
    .select(['webhook.id', 'webhook.name', 'forms.id as form_id', 'forms.name as form_name'])
    .$if(forms !== null, (query) => query.where('forms.id', 'in', [0, ...(forms ?? [])]))
    .orderBy('forms.name')
    .orderBy('webhook.name')
    .execute()
  return rows.map(({ id, name, form_id, form_name }) => ({
    id,
    name,
    form: { id: form_id, name: form_name },
  }))
}

/** The webhooks whose conditions name this text as a value, such as the slug of a place, with their forms. */
export async function listWebhooksNaming(
  db: Db,
  text: string,
): Promise<{ id: number; name: string; formSlug: string }[]> {
  const rows = await db
    .selectFrom('form_webhooks')
    .innerJoin('forms', 'forms.id', 'form_webhooks.form_id')
    .select(['form_webhooks.id', 'form_webhooks.name', 'forms.slug as formSlug', 'fire_on_json'])
    .where('fire_on_json', 'is not', null)
    .orderBy('form_webhooks.id')
    .execute()
  // The text is a whole JSON value: part of a longer one does not count.
  return rows
    .filter(({ fire_on_json }) => fire_on_json?.includes(JSON.stringify(text)))
    .map(({ id, name, formSlug }) => ({ id, name, formSlug }))
}
