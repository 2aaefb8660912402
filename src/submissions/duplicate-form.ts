import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { addForm, type Editing, type FormOutcome } from '../forms/edit-form.ts'
import { findForm, toFormDefinition } from '../forms/form-store.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { changeContent } from '../versions/content-turn-store.ts'
import { saveWebhooks } from '../webhooks/definition/save-webhook-store.ts'
import type { WebhookDefinition } from '../webhooks/definition/webhook-definition.ts'
import { listWebhooks, toWebhookDefinition } from '../webhooks/definition/webhook-store.ts'
import { redactHeaders } from '../webhooks/secrets/redact-headers.ts'

export interface DuplicateOptions extends Editing {
  name: string
  slug: string
  secretBox: SecretBox
}

/**
 * Creates a draft copy of a form with its fields and settings. Its webhooks are copied but turned off, without
 * signing secrets or headers that look like secrets. Submissions, deliveries, and versions are not copied.
 */
export function duplicateForm(
  db: Kysely<Schema>,
  original: string,
  { name, slug, secretBox, ...editing }: DuplicateOptions,
): Promise<FormOutcome> {
  return changeContent(db, async (trx) => {
    const form = await findForm(trx, original)
    if (!form) return { kind: 'not_found' }
    const outcome = await addForm(trx, slug, { ...toFormDefinition(form), name, status: 'draft' }, editing)
    if (outcome.kind !== 'saved') return outcome
    const copies = await copyWebhooks(trx, form.id)
    await saveWebhooks(trx, outcome.value.id, copies, { secretBox, now: editing.now })
    return outcome
  })
}

async function copyWebhooks(db: Db, formId: number): Promise<WebhookDefinition[]> {
  const webhooks = await listWebhooks(db, formId)
  const readable = webhooks.filter(({ unreadable }) => Object.keys(unreadable).length === 0)
  return readable.map(toWebhookDefinition).map(withoutSecrets)
}

function withoutSecrets({ signing_secret: _, headers, ...webhook }: WebhookDefinition): WebhookDefinition {
  const shown = redactHeaders(headers ?? {})
  const open = Object.entries(headers ?? {}).filter(([name, value]) => shown[name] === value)
  return { ...webhook, headers: open.length > 0 ? Object.fromEntries(open) : null, enabled: false }
}
