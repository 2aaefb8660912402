import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { type CreateOutcome, createForm, type Editing } from '../forms/edit-form.ts'
import { findForm, toFormDefinition } from '../forms/form-store.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { redactHeaders } from '../webhooks/redact-headers.ts'
import { saveWebhooks } from '../webhooks/save-webhook-store.ts'
import type { WebhookDefinition } from '../webhooks/webhook-definition.ts'
import { listWebhooks, toWebhookDefinition } from '../webhooks/webhook-store.ts'

export interface DuplicateOptions extends Editing {
  name: string
  slug: string
  secretBox: SecretBox
}

/**
 * Makes a draft that asks and answers as this form does. Its webhooks come along switched off, without signing secrets
 * and without headers that look like one. No submissions, deliveries or versions are copied.
 */
export async function duplicateForm(
  db: Kysely<Schema>,
  original: string,
  { name, slug, secretBox, ...editing }: DuplicateOptions,
): Promise<CreateOutcome | { kind: 'not_found' }> {
  const form = await findForm(db, original)
  if (!form) return { kind: 'not_found' }
  const definition = { ...toFormDefinition(form), name, status: 'draft' }
  const outcome = await createForm(db, slug, definition, editing)
  if (outcome.kind !== 'saved') return outcome
  const webhooks = (await listWebhooks(db, form.id)).filter(
    ({ unreadable }) => Object.keys(unreadable).length === 0,
  )
  const copies = webhooks.map(toWebhookDefinition).map(withoutSecrets)
  await db
    .transaction()
    .execute((trx) => saveWebhooks(trx, outcome.form.id, copies, { secretBox, now: editing.now }))
  return outcome
}

function withoutSecrets({ signing_secret: _, headers, ...webhook }: WebhookDefinition): WebhookDefinition {
  const shown = redactHeaders(headers ?? {})
  const open = Object.entries(headers ?? {}).filter(([name, value]) => shown[name] === value)
  return { ...webhook, headers: open.length > 0 ? Object.fromEntries(open) : null, enabled: false }
}
