import type { Db } from '../../db/schema.ts'
import type { Form } from '../../forms/form.ts'
import { questionEditor } from '../../messages/admin/questions.ts'
import { listWebhooksNaming } from '../../submissions/field-mentions.ts'

/**
 * Returns a sentence for a field with a new key, beginning with a space, about webhooks that still use the former key
 * and get nothing for it. `form` is the form before the change. Empty without such webhooks.
 */
export async function mentionFormerKey(
  db: Db,
  form: Pick<Form, 'id' | 'fields'>,
  { former, key }: { former: string; key: unknown },
): Promise<string> {
  if (String(key).trim() === former) return ''
  const webhooks = await listWebhooksNaming(db, form, former)
  if (webhooks.length === 0) return ''
  return ` ${questionEditor.formerKey(former, webhooks)}`
}
