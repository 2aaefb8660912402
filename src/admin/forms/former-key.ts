import type { Db } from '../../db/schema.ts'
import type { Form } from '../../forms/form.ts'
import { questionEditor } from '../../messages/admin/questions.ts'
import { listWebhooksNaming } from '../../submissions/field-mentions.ts'

/**
 * What to say after a field got another key, beginning with a space: which webhooks name the one before, and so find
 * nothing there. `form` is the form as it was. Empty when none does.
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
