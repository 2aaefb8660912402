import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Db, Schema } from '../db/schema.ts'
import type { Json } from '../lib/canonical-json.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { conditionSchema } from './conditions.ts'
import { webhookHeaders } from './header-rules.ts'
import { jsonColumn } from './json-column.ts'
import { WEBHOOK_METHODS, type Webhook } from './webhook.ts'
import type { WebhookDefinition } from './webhook-definition.ts'

type WebhookRow = Selectable<Schema['form_webhooks']>

const methodColumn = z.enum(WEBHOOK_METHODS)
const headersColumn = jsonColumn(webhookHeaders.nullable())
const templateColumn = jsonColumn(z.json() as z.ZodType<Json, Json>)
const conditionColumn = jsonColumn(conditionSchema.nullable())

/** The webhooks of a form, oldest first. */
export async function listWebhooks(db: Db, formId: number): Promise<Webhook[]> {
  return (await listRows(db, formId)).map(toWebhook)
}

export async function findWebhook(db: Db, id: number): Promise<Webhook | undefined> {
  const row = await db.selectFrom('form_webhooks').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toWebhook(row)
}

/** Those of these webhooks that exist, by id. */
export async function findWebhooks(db: Db, ids: readonly number[]): Promise<Map<number, Webhook>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('form_webhooks').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, toWebhook(row)]))
}

/**
 * Gives a form exactly these webhooks, matched by name (the first of a name with the first): those that stay keep
 * their ids. `signing_secret` undefined keeps the stored secret, null removes it.
 */
export async function saveWebhooks(
  db: Db,
  formId: number,
  definitions: readonly WebhookDefinition[],
  { secretBox }: { secretBox: SecretBox },
): Promise<void> {
  const stored = await listRows(db, formId)
  for (const definition of definitions) {
    const index = stored.findIndex((row) => row.name === definition.name)
    const [match] = index < 0 ? [] : stored.splice(index, 1)
    await saveWebhook(db, { id: match?.id, formId, definition, secretBox })
  }
  const leftIds = stored.map((row) => row.id)
  if (leftIds.length > 0) await db.deleteFrom('form_webhooks').where('id', 'in', leftIds).execute()
}

export async function disableWebhook(db: Db, id: number): Promise<void> {
  await db.updateTable('form_webhooks').set({ enabled: 0 }).where('id', '=', id).execute()
}

/** The text form of a webhook, without its secret. Throws when a stored column cannot be read. */
export function toWebhookDefinition(webhook: Webhook): WebhookDefinition {
  const [problem] = Object.entries(webhook.unreadable)
  if (problem) throw new Error(`The ${problem[0]} of webhook ${webhook.id} cannot be read: ${problem[1]}`)
  return {
    name: webhook.name,
    url: webhook.url,
    method: webhook.method,
    headers: webhook.headers,
    payload_template: webhook.payloadTemplate,
    fire_on: webhook.fireOn,
    max_retries: webhook.maxRetries,
    enabled: webhook.enabled,
  }
}

/** The place that a webhook's secret is sealed for; see `SecretBox`. */
export function signingSecretPlace(webhookId: number): string {
  return `form_webhooks.signing_secret.${webhookId}`
}

async function listRows(db: Db, formId: number): Promise<WebhookRow[]> {
  return db.selectFrom('form_webhooks').selectAll().where('form_id', '=', formId).orderBy('id').execute()
}

interface Saving {
  id: number | undefined
  formId: number
  definition: WebhookDefinition
  secretBox: SecretBox
}

async function saveWebhook(db: Db, { id: storedId, formId, definition, secretBox }: Saving) {
  const id = storedId ?? (await insertWebhook(db, formId, definition))
  const { signing_secret: secret } = definition
  const sealed = secret ? secretBox.seal(secret, signingSecretPlace(id)) : secret
  await db
    .updateTable('form_webhooks')
    .set({ ...toColumns(definition), ...(sealed === undefined ? {} : { signing_secret: sealed }) })
    .where('id', '=', id)
    .execute()
}

async function insertWebhook(db: Db, formId: number, definition: WebhookDefinition): Promise<number> {
  const row = await db
    .insertInto('form_webhooks')
    .values({ form_id: formId, ...toColumns(definition) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

function toColumns(definition: WebhookDefinition) {
  const { headers, payload_template: template, fire_on: condition } = definition
  return {
    name: definition.name,
    url: definition.url,
    method: definition.method,
    headers_json: headers === null ? null : headersColumn.encode(headers),
    payload_template_json: template === null ? null : templateColumn.encode(template),
    fire_on_json: condition === null ? null : conditionColumn.encode(condition),
    max_retries: definition.max_retries,
    enabled: definition.enabled ? (1 as const) : (0 as const),
  }
}

// One column that cannot be read must not take the form's other webhooks with it.
function toWebhook(row: WebhookRow): Webhook {
  const unreadable: Webhook['unreadable'] = {}
  const read = <Value>(
    name: keyof Webhook['unreadable'],
    column: z.ZodType<Value, string>,
    text: string | null,
  ) => {
    const result = text === null ? undefined : column.safeDecode(text)
    if (result?.error) unreadable[name] = result.error.issues.map((issue) => issue.message).join('; ')
    return result?.data ?? null
  }
  return {
    id: row.id,
    formId: row.form_id,
    name: row.name,
    url: row.url,
    method: read('method', methodColumn as z.ZodType<Webhook['method'], string>, row.method) ?? 'POST',
    headers: read('headers', headersColumn, row.headers_json),
    payloadTemplate: read('payloadTemplate', templateColumn, row.payload_template_json),
    fireOn: read('fireOn', conditionColumn, row.fire_on_json),
    signingSecret: row.signing_secret,
    maxRetries: row.max_retries,
    enabled: row.enabled === 1,
    createdAt: row.created_at,
    unreadable,
  }
}
