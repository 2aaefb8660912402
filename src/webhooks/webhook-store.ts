import type { Selectable } from 'kysely'
import { z } from 'zod'
import { inGroups, prepareQuery } from '../db/prepared-query.ts'
import type { Db, Schema } from '../db/schema.ts'
import { canonicalJson, type Json } from '../lib/canonical-json.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { conditionSchema } from './conditions.ts'
import { webhookHeaders } from './header-rules.ts'
import { jsonColumn } from './json-column.ts'
import { NO_SECRETS, replaceSecret, type SealedSecrets } from './signing-secrets.ts'
import { WEBHOOK_METHODS, type Webhook } from './webhook.ts'
import type { WebhookDefinition } from './webhook-definition.ts'

export type WebhookRow = Selectable<Schema['form_webhooks']>

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

/** The rows of those of these webhooks that exist. */
export async function listWebhookRows(db: Db, ids: readonly number[]): Promise<WebhookRow[]> {
  const rows: WebhookRow[] = []
  for (const group of inGroups(ids)) rows.push(...(await selectRows(db, group, group.length)).rows)
  return rows
}

const selectRows = prepareQuery((db, rows) =>
  db.selectFrom('form_webhooks').selectAll().where('id', 'in', Array(rows).fill(0)).compile(),
)

/**
 * Gives a form exactly these webhooks, matched by name (the first of a name with the first): those that stay keep
 * their ids. `signing_secret` undefined keeps the stored secret, null removes it.
 */
export async function saveWebhooks(
  db: Db,
  formId: number,
  definitions: readonly WebhookDefinition[],
  { secretBox, now = new Date() }: { secretBox: SecretBox; now?: Date | string },
): Promise<void> {
  const sealing = { secretBox, now: new Date(now) }
  const stored = await listRows(db, formId)
  const matches = matchRows(definitions, stored)
  for (const definition of definitions) {
    const match = matches.get(definition)
    await saveWebhook(db, { stored: match && toWebhook(match), formId, definition }, sealing)
  }
  const kept = new Set(matches.values())
  for (const row of stored.filter((row) => !kept.has(row))) await deleteWebhook(db, row.id, sealing)
}

// By name, and what is left by its destination: a renamed webhook keeps its queue and its history.
function matchRows(definitions: readonly WebhookDefinition[], rows: readonly WebhookRow[]) {
  const matches = new Map<WebhookDefinition, WebhookRow>()
  const free = new Set(rows)
  const match = (isSame: (definition: WebhookDefinition, row: WebhookRow) => boolean) => {
    for (const definition of definitions.filter((one) => !matches.has(one))) {
      const row = [...free].find((candidate) => isSame(definition, candidate))
      if (!row) continue
      matches.set(definition, row)
      free.delete(row)
    }
  }
  match((definition, row) => definition.name === row.name)
  match((definition, row) => definition.url === row.url && definition.method === row.method)
  return matches
}

/** Cancels what waits for a webhook and deletes it; its deliveries stay. */
async function deleteWebhook(db: Db, id: number, { now }: { now: Date }): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'cancelled', outcome_reason: 'The webhook was deleted', next_attempt_at: null })
    .set({ finished_at: now.toISOString() })
    .where('webhook_id', '=', id)
    .where('status', '=', 'pending')
    .execute()
  await db.deleteFrom('form_webhooks').where('id', '=', id).execute()
}

export async function updateSecrets(db: Db, id: number, secrets: SealedSecrets): Promise<void> {
  await db.updateTable('form_webhooks').set(toSecretColumns(secrets)).where('id', '=', id).execute()
}

/**
 * The text form of a webhook as a person left it, without its secret: one that the program switched off still says
 * `enabled`. Throws when a stored column cannot be read.
 */
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
    enabled: webhook.enabled || webhook.disabledAt !== null,
  }
}

/** A webhook as its form would have it, over the stored one or over nothing; without a secret of its own. */
export function toDraftWebhook(definition: WebhookDefinition, stored: Webhook | { formId: number }): Webhook {
  const { payload_template: payloadTemplate, fire_on: fireOn, max_retries: maxRetries, ...rest } = definition
  const { signing_secret: _, ...named } = rest
  const blank = {
    id: 0,
    createdAt: '',
    pausedAt: null,
    disabledAt: null,
    disabledReason: null,
    failingSince: null,
  }
  return { ...blank, ...NO_SECRETS, ...stored, ...named, payloadTemplate, fireOn, maxRetries, unreadable: {} }
}

async function listRows(db: Db, formId: number): Promise<WebhookRow[]> {
  return db.selectFrom('form_webhooks').selectAll().where('form_id', '=', formId).orderBy('id').execute()
}

interface Saving {
  stored: Webhook | undefined
  formId: number
  definition: WebhookDefinition
}

interface Sealing {
  secretBox: SecretBox
  now: Date
}

async function saveWebhook(db: Db, { stored, formId, definition }: Saving, sealing: Sealing) {
  const id = stored?.id ?? (await insertWebhook(db, formId, definition))
  const secrets = secretsAfter({ id, stored, definition }, sealing)
  const enabled = staysSwitchedOff(stored, definition)
    ? { enabled: 0 as const }
    : freshStart(stored, definition)
  const columns = { ...toColumns(definition), ...toSecretColumns(secrets), ...enabled }
  await db.updateTable('form_webhooks').set(columns).where('id', '=', id).execute()
}

function secretsAfter(
  { id, stored, definition }: Pick<Saving, 'stored' | 'definition'> & { id: number },
  sealing: Sealing,
): SealedSecrets {
  const { signing_secret: secret } = definition
  if (secret === null) return NO_SECRETS
  const secrets = stored ?? NO_SECRETS
  return secret === undefined ? secrets : replaceSecret({ id, secrets }, secret, sealing)
}

// A webhook that the program switched off is switched on by an edit of it, not by one of its form.
function staysSwitchedOff(stored: Webhook | undefined, { signing_secret, ...definition }: WebhookDefinition) {
  if (!stored || stored.disabledAt === null || Object.keys(stored.unreadable).length > 0) return false
  return canonicalJson(toWebhookDefinition(stored)) === canonicalJson(definition)
}

// A webhook that is switched on again, or goes elsewhere now, has not failed yet.
function freshStart(stored: Webhook | undefined, { enabled, url }: WebhookDefinition) {
  if (!stored) return {}
  const isSwitchedOn = enabled && !stored.enabled
  if (!isSwitchedOn) return stored.url === url ? {} : { failing_since: null }
  return { failing_since: null, disabled_at: null, disabled_reason: null }
}

function toSecretColumns(secrets: SealedSecrets) {
  return {
    signing_secret: secrets.signingSecret,
    previous_signing_secret: secrets.previousSigningSecret,
    previous_secret_expires_at: secrets.previousSecretExpiresAt,
  }
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

/** One column that cannot be read does not take the others with it. */
export function toWebhook(row: WebhookRow): Webhook {
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
    previousSigningSecret: row.previous_signing_secret,
    previousSecretExpiresAt: row.previous_secret_expires_at,
    maxRetries: row.max_retries,
    enabled: row.enabled === 1,
    createdAt: row.created_at,
    pausedAt: row.paused_at,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since,
    unreadable,
  }
}
