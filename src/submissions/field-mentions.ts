import type { Db } from '../db/schema.ts'
import type { Form } from '../forms/form.ts'
import { toTemplateField } from '../templates/template-field.ts'
import { checkWebhookReferences } from '../webhooks/definition/webhook-definition.ts'
import { listWebhooks } from '../webhooks/definition/webhook-store.ts'

/** Returns the names of a form's webhooks whose template or conditions mention this field. */
export async function listWebhooksNaming(
  db: Db,
  { id, fields }: Pick<Form, 'id' | 'fields'>,
  fieldName: string,
): Promise<string[]> {
  const all = fields.map(toTemplateField)
  const rest = all.filter(({ name }) => name !== fieldName)
  const webhooks = await listWebhooks(db, id)
  return webhooks
    .filter(({ payloadTemplate, fireOn }) => {
      const parts = { payload_template: payloadTemplate, fire_on: fireOn }
      return checkWebhookReferences(parts, rest).length > checkWebhookReferences(parts, all).length
    })
    .map(({ name }) => name)
}
