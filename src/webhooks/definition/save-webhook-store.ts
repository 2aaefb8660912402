import { EVERY_LEAD } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { cancelDeliveries } from '../deliveries/cancel-deliveries.ts'
import { fillDots, sealHeaders, withOpenHeaders, withoutStoredHeaders } from '../secrets/sealed-headers.ts'
import { NO_SECRETS, replaceSecret, type SealedSecrets } from '../secrets/signing-secrets.ts'
import { isSameOrigin, type SecretOwner } from '../secrets/webhook-origin.ts'
import { matchWebhooks } from './match-webhooks.ts'
import type { Webhook } from './webhook.ts'
import type { WebhookDefinition } from './webhook-definition.ts'
import { cancelForOff } from './webhook-health-store.ts'
import {
  listWebhooksForUpdate,
  toColumns,
  toSealedColumns,
  toSecretColumns,
  toWebhookDefinition,
} from './webhook-store.ts'

/**
 * Replaces the webhooks of a form; matched ones (`matchWebhooks`) keep their IDs. `signing_secret` undefined keeps the
 * stored secret, null removes it, and dots keep a stored header. A webhook whose address has a new origin keeps
 * neither.
 */
export async function saveWebhooks(
  db: Db,
  formId: number,
  definitions: readonly WebhookDefinition[],
  { secretBox, now = new Date() }: { secretBox: SecretBox; now?: Date | string },
): Promise<void> {
  const sealing = { secretBox, now: new Date(now) }
  const stored = await listWebhooksForUpdate(db, formId)
  const matches = matchWebhooks(definitions, stored)
  for (const definition of definitions) {
    await saveWebhook(db, { stored: matches.get(definition), formId, definition }, sealing)
  }
  const kept = new Set(matches.values())
  for (const { id } of stored.filter((one) => !kept.has(one))) await deleteWebhook(db, id, sealing)
}

/** Cancels what waits for a webhook and deletes it; its deliveries stay. */
export async function deleteWebhook(db: Db, id: number, { now }: { now: Date }): Promise<void> {
  await cancelDeliveries(
    db,
    { webhookId: id, scope: EVERY_LEAD },
    { reason: { code: 'webhook_deleted' }, now },
  )
  await db.deleteFrom('form_webhooks').where('id', '=', id).execute()
}

export async function updateSecrets(db: Db, id: number, secrets: SealedSecrets): Promise<void> {
  await db.updateTable('form_webhooks').set(toSecretColumns(secrets)).where('id', '=', id).execute()
}

/** Stores the sealed texts of a webhook again. */
export async function updateSealed(
  db: Db,
  { id, ...sealed }: SealedSecrets & Pick<Webhook, 'id' | 'headers'>,
): Promise<void> {
  await db.updateTable('form_webhooks').set(toSealedColumns(sealed)).where('id', '=', id).execute()
}

interface Saving {
  /** As it is stored now. */
  stored: Webhook | undefined
  formId: number
  definition: WebhookDefinition
}

interface Sealing {
  secretBox: SecretBox
  now: Date
}

/** Stores a webhook, a new one when `stored` is undefined; returns its ID. Cancels waiting deliveries of a disabled one. */
export async function saveWebhook(
  db: Db,
  { stored, formId, definition: given }: Saving,
  sealing: Sealing,
): Promise<number> {
  // A secret is only ever sent to the origin it was stored for.
  const keeper = stored && isSameOrigin(stored.url, given.url) ? stored : undefined
  const filled = fillDots(given, keeper, sealing)
  const definition = keeper
    ? filled
    : { ...filled, headers: withoutStoredHeaders(filled.headers, stored?.headers ?? null) }
  const id = stored?.id ?? (await insertWebhook(db, formId, definition))
  const { headers, url } = definition
  const owner = { id, url }
  const sealed = {
    ...definition,
    headers: sealHeaders(headers, keeper?.headers ?? null, { ...owner, ...sealing }),
  }
  const secrets = secretsAfter({ owner, keeper, definition }, sealing)
  const enabled = staysSwitchedOff(stored, definition, sealing)
    ? { enabled: 0 as const }
    : freshStart(stored, definition)
  const columns = { ...toColumns(sealed), ...toSecretColumns(secrets), ...enabled }
  await db.updateTable('form_webhooks').set(columns).where('id', '=', id).execute()
  if (columns.enabled === 0 && stored) await cancelForOff(db, id, sealing)
  return id
}

function secretsAfter(
  {
    owner,
    keeper,
    definition,
  }: { owner: SecretOwner; keeper: Webhook | undefined; definition: WebhookDefinition },
  sealing: Sealing,
): SealedSecrets {
  const { signing_secret: secret } = definition
  if (secret === null) return NO_SECRETS
  const secrets = keeper ?? NO_SECRETS
  return secret === undefined ? secrets : replaceSecret({ owner, secrets }, secret, sealing)
}

// Editing a webhook that the program turned off turns it on again. Editing its form does not.
function staysSwitchedOff(
  stored: Webhook | undefined,
  { signing_secret, ...definition }: WebhookDefinition,
  { secretBox }: Sealing,
) {
  if (!stored || stored.disabledAt === null || Object.keys(stored.unreadable).length > 0) return false
  const opened = toWebhookDefinition(withOpenHeaders(stored, { secretBox }))
  return canonicalJson(opened) === canonicalJson(definition)
}

// A webhook that is turned on again, or has a new destination, starts without failures.
function freshStart(stored: Webhook | undefined, { enabled, url }: WebhookDefinition) {
  if (!stored) return {}
  const isSwitchedOn = enabled && !stored.enabled
  if (!isSwitchedOn) return stored.url === url ? {} : { failing_since: null }
  return { failing_since: null, disabled_at: null, disabled_code: null, disabled_text: null }
}

async function insertWebhook(db: Db, formId: number, definition: WebhookDefinition): Promise<number> {
  const row = await db
    .insertInto('form_webhooks')
    .values({ form_id: formId, ...toColumns({ ...definition, headers: null }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
