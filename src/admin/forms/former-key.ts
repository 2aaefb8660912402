import type { Db } from '../../db/schema.ts'
import type { Form } from '../../forms/form.ts'
import { questionEditor } from '../../messages/admin/questions.ts'
import { listFieldMentions } from '../../submissions/field-mentions.ts'

/**
 * Returns a sentence, starting with a space, about webhooks and emails that still use a field's former key and now get
 * no value for it. `form` is the form before the change. Empty if there are none.
 */
export async function mentionFormerKey(
  db: Db,
  form: Pick<Form, 'id' | 'fields' | 'settings'>,
  { former, key }: { former: string; key: unknown },
): Promise<string> {
  if (String(key).trim() === former) return ''
  const mentions = await listFieldMentions(db, form, former)
  if (mentions.webhooks.length + mentions.emails.length === 0) return ''
  return ` ${questionEditor.formerKey(former, mentions)}`
}
