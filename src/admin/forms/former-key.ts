import type { Db } from '../../db/schema.ts'
import type { Form } from '../../forms/form.ts'
import { questionEditor } from '../../messages/admin/questions.ts'
import { listWebhooksNaming } from '../../submissions/field-mentions.ts'

/**
 * Returns a sentence, starting with a space, about webhooks that still use a field's former key and now get no value
 * for it. `form` is the form before the change. Empty if there are none.
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
