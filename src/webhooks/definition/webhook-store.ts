import type { Selectable } from 'kysely'
import { z } from 'zod'
import { conditionSchema, FALLBACK_MARK } from '../../conditions/conditions.ts'
import { engineOf } from '../../db/dialects.ts'
import type { Db, Schema } from '../../db/schema.ts'
import { type At, inGroups, prepareQuery } from '../../db/statements/prepared-query.ts'
import type { Json } from '../../lib/canonical-json.ts'
import { jsonColumn } from '../../lib/json-column.ts'
import { unreadableWebhook } from '../../messages/admin/webhooks/webhooks.ts'
import { describeRule } from '../../messages/files/rules/rule.ts'
import { problemOf } from '../../messages/files/rules/schema-rule.ts'
import { readDisabledReason } from '../reasons/disabled-reason.ts'
import { NO_SECRETS, type SealedSecrets } from '../secrets/signing-secrets.ts'
import { webhookHeaders } from './header-rules.ts'
import { WEBHOOK_METHODS, type Webhook } from './webhook.ts'
import type { WebhookDefinition } from './webhook-definition.ts'

export type WebhookRow = Selectable<Schema['form_webhooks']>

// In place of a condition (contract §8).
const FALLBACK = JSON.stringify(FALLBACK_MARK)
const methodColumn = z.enum(WEBHOOK_METHODS)
const headersColumn = jsonColumn(webhookHeaders.nullable())
const templateColumn = jsonColumn(z.json() as z.ZodType<Json, Json>)
const conditionColumn = jsonColumn(conditionSchema.nullable())
const previousSecretsColumn = jsonColumn(z.array(z.object({ sealed: z.string(), until: z.string() })))

/** The webhooks of a form, oldest first. */
export async function listWebhooks(db: Db, formId: number): Promise<Webhook[]> {
  const query = db.selectFrom('form_webhooks').selectAll().where('form_id', '=', formId)
  return (await query.orderBy('id').execute()).map(toWebhook)
}

export async function findWebhook(db: Db, id: number): Promise<Webhook | undefined> {
  const row = await db.selectFrom('form_webhooks').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toWebhook(row)
}

/** Returns a webhook. On PostgreSQL, others, such as dispatchers, can't change it before the transaction ends. */
export async function findWebhookForUpdate(db: Db, id: number): Promise<Webhook | undefined> {
  const query = db.selectFrom('form_webhooks').selectAll().where('id', '=', id)
  const row = await (engineOf(db) === 'postgres' ? query.forNoKeyUpdate() : query).executeTakeFirst()
  return row && toWebhook(row)
}

/** Every webhook, grouped by form. */
export async function listAllWebhooks(db: Db): Promise<Webhook[]> {
  return (await allWebhooks(db).execute()).map(toWebhook)
}

/**
 * Every webhook, grouped by form, or those of one form. On PostgreSQL, others can't change them before the transaction
 * ends.
 */
export async function listWebhooksForUpdate(db: Db, formId?: number): Promise<Webhook[]> {
  const query = formId === undefined ? allWebhooks(db) : allWebhooks(db).where('form_id', '=', formId)
  const rows = await (engineOf(db) === 'postgres' ? query.forNoKeyUpdate() : query).execute()
  return rows.map(toWebhook)
}

const allWebhooks = (db: Db) => db.selectFrom('form_webhooks').selectAll().orderBy('form_id').orderBy('id')

/** The rows of those of these webhooks that exist. */
export async function listWebhookRows(db: Db, ids: readonly number[]): Promise<WebhookRow[]> {
  const rows: WebhookRow[] = []
  for (const group of inGroups(ids)) rows.push(...(await selectRows(db, { ids: group })).rows)
  return rows
}

const selectRows = prepareQuery((db, at: At<{ ids: number[] }>) =>
  db.selectFrom('form_webhooks').selectAll().where('id', 'in', at('ids')).compile(),
)

/**
 * The definition of a webhook as a user left it, without its secret: one that the program turned off still says
 * `enabled`. Throws when a stored column cannot be read.
 */
export function toWebhookDefinition(webhook: Webhook): WebhookDefinition {
  const [problem] = Object.entries(webhook.unreadable)
  if (problem) {
    const [column, reason] = problem
    throw new Error(unreadableWebhook({ id: webhook.id, column, problem: reason }))
  }
  return {
    name: webhook.name,
    url: webhook.url,
    method: webhook.method,
    headers: webhook.headers,
    payload_template: webhook.payloadTemplate,
    fire_on: webhook.fireOn,
    ...(webhook.fallback && { fallback: true }),
    max_retries: webhook.maxRetries,
    enabled: webhook.enabled || webhook.disabledAt !== null,
    ...(webhook.acceptRedirect && { accept_redirect: true }),
  }
}

/** A webhook as its form would have it, over the stored one or over nothing; without its own secret. */
export function toDraftWebhook(definition: WebhookDefinition, stored: Webhook | { formId: number }): Webhook {
  const { payload_template: payloadTemplate, fire_on: fireOn, max_retries: maxRetries, ...rest } = definition
  const { signing_secret: _, accept_redirect: acceptRedirect = false, fallback = false, ...named } = rest
  const blank = {
    id: 0,
    createdAt: '',
    pausedAt: null,
    disabledAt: null,
    disabledReason: null,
    failingSince: null,
  }
  return {
    ...blank,
    ...NO_SECRETS,
    ...stored,
    ...named,
    payloadTemplate,
    fireOn,
    maxRetries,
    acceptRedirect,
    fallback,
    unreadable: {},
  }
}

function toHeadersColumn(headers: Webhook['headers']): string | null {
  return headers === null ? null : headersColumn.encode(headers)
}

/** The columns of a definition whose secrets are sealed. */
export function toColumns(definition: WebhookDefinition) {
  const { headers, payload_template: template, fire_on: condition } = definition
  return {
    name: definition.name,
    url: definition.url,
    method: definition.method,
    headers_json: toHeadersColumn(headers),
    payload_template_json: template === null ? null : templateColumn.encode(template),
    fire_on_json: definition.fallback ? FALLBACK : condition && conditionColumn.encode(condition),
    max_retries: definition.max_retries,
    enabled: definition.enabled ? (1 as const) : (0 as const),
    accept_redirect: definition.accept_redirect ? (1 as const) : (0 as const),
  }
}

export function toSecretColumns({ signingSecret, previousSecrets }: SealedSecrets) {
  return {
    signing_secret: signingSecret,
    previous_secrets_json:
      previousSecrets.length === 0 ? null : previousSecretsColumn.encode([...previousSecrets]),
  }
}

/** The columns with the sealed texts of a webhook. Headers that can't be read are null here, and stay as they are. */
export function toSealedColumns({
  headers,
  signingSecret,
  previousSecrets,
}: SealedSecrets & Pick<Webhook, 'headers'>) {
  return {
    ...toSecretColumns({ signingSecret, previousSecrets }),
    ...(headers && { headers_json: toHeadersColumn(headers) }),
  }
}

/** A column that cannot be read does not affect the others. */
export function toWebhook(row: WebhookRow): Webhook {
  const unreadable: Webhook['unreadable'] = {}
  const read = <Value>(
    name: keyof Webhook['unreadable'],
    column: z.ZodType<Value, string>,
    text: string | null,
  ) => {
    const result = text === null ? undefined : column.safeDecode(text)
    if (result?.error)
      unreadable[name] = result.error.issues.map((issue) => describeRule(problemOf(issue))).join('; ')
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
    fireOn: row.fire_on_json === FALLBACK ? null : read('fireOn', conditionColumn, row.fire_on_json),
    fallback: row.fire_on_json === FALLBACK,
    signingSecret: row.signing_secret,
    // Without the former secrets, the current one still signs.
    previousSecrets: previousSecretsColumn.safeDecode(row.previous_secrets_json ?? '[]').data ?? [],
    maxRetries: row.max_retries,
    enabled: row.enabled === 1,
    acceptRedirect: row.accept_redirect === 1,
    createdAt: row.created_at,
    pausedAt: row.paused_at,
    disabledAt: row.disabled_at,
    disabledReason: readDisabledReason(row),
    failingSince: row.failing_since,
    unreadable,
  }
}
