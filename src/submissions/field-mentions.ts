import type { Db } from '../db/schema.ts'
import type { Form } from '../forms/form.ts'
import { checkMailReferences } from '../forms/mails/check-mail-references.ts'
import { emailsPage } from '../messages/admin/emails/emails.ts'
import type { FieldMentions } from '../messages/admin/questions.ts'
import type { ReferableField } from '../templates/check-template.ts'
import { toTemplateField } from '../templates/template-field.ts'
import { checkWebhookReferences } from '../webhooks/definition/webhook-definition.ts'
import { listWebhooks } from '../webhooks/definition/webhook-store.ts'

/** Returns the names of a form's webhooks and emails whose texts or conditions mention this field. */
export async function listFieldMentions(
  db: Db,
  { id, fields, settings }: Pick<Form, 'id' | 'fields' | 'settings'>,
  fieldName: string,
): Promise<FieldMentions> {
  const all = fields.map(toTemplateField)
  const rest = all.filter(({ name }) => name !== fieldName)
  const isMentioned = (check: (known: readonly ReferableField[]) => readonly unknown[]) =>
    check(rest).length > check(all).length
  const webhooks = (await listWebhooks(db, id)).filter(({ payloadTemplate, fireOn }) => {
    const parts = { payload_template: payloadTemplate, fire_on: fireOn }
    return isMentioned((known) => checkWebhookReferences(parts, known))
  })
  const { notifications, reply } = settings
  const mails = (notifications ?? []).filter((entry) =>
    isMentioned((known) => checkMailReferences({ notifications: [entry], reply: null }, known)),
  )
  const isInReply = isMentioned((known) => checkMailReferences({ notifications: [], reply }, known))
  return {
    webhooks: webhooks.map(({ name }) => name),
    emails: [...mails.map(({ to }) => to.join(' and ')), ...(isInReply ? [emailsPage.headings.reply] : [])],
  }
}
