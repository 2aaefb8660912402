import type { App } from '#src/app.ts'
import type { DeliveryStatus } from '#src/db/tables/webhook-tables.ts'
import type { Form } from '#src/forms/form.ts'
import { saveWebhook } from '#src/webhooks/definition/save-webhook-store.ts'
import { webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'
import { rotateSigningSecret } from '#src/webhooks/secrets/rotate-signing-secret.ts'
import { storeForm } from '../forms.ts'

const AT = '2026-11-20T10:00:00.000Z'
const FAR = '2099-01-01T00:00:00.000Z'

export interface StoredLead {
  id: number
  noteIds: number[]
  /** The row of its file, and the file below the upload folder. */
  uploadId: number
  file: string
  mailId: number
  mailAttemptId: number
  replyId: number
}

export interface StoredDelivery {
  id: number
  attemptId: number
  webhookId: number
  leadId: number
}

export interface StoredForm {
  form: Form
  /** By name. */
  fieldIds: Readonly<Record<string, number>>
  webhookIds: [first: number, second: number]
  leads: [first: StoredLead, second: StoredLead]
  /** The first lead's pending deliveries by both webhooks, and the second lead's failed ones. */
  pending: [StoredDelivery, StoredDelivery]
  failed: [StoredDelivery, StoredDelivery]
}

/**
 * A form with two of everything: fields, webhooks with secrets, submissions with notes, files, emails, and
 * deliveries. Forms differ only in their slugs, so that code that forgets to restrict itself to one form also
 * reaches the others.
 */
export async function storeFormWithLeads(app: App, slug: string): Promise<StoredForm> {
  const { db } = app
  const fields = [
    { name: 'email', type: 'email' as const, label: 'E-mail' },
    { name: 'photo', type: 'file' as const, label: 'Photo' },
  ]
  const form = await storeForm(db, slug, { name: slug, fields })
  const rows = await db
    .selectFrom('form_fields')
    .select(['id', 'name'])
    .where('form_id', '=', form.id)
    .execute()
  const webhookIds = await pairOf(() => storeSecretWebhook(app, form.id))
  const leads = await pairOf(() => storeLead(app, form.id))
  const deliveriesOf = (lead: StoredLead, status: DeliveryStatus) =>
    pairOf((index) =>
      storeDelivery(app, { formId: form.id, webhookId: webhookIds[index], leadId: lead.id, status }),
    )
  return {
    ...{ form, webhookIds, leads },
    fieldIds: Object.fromEntries(rows.map(({ id, name }) => [name, id])),
    pending: await deliveriesOf(leads[0], 'pending'),
    failed: await deliveriesOf(leads[1], 'failed'),
  }
}

async function pairOf<Item>(make: (index: 0 | 1) => Promise<Item>): Promise<[Item, Item]> {
  return [await make(0), await make(1)]
}

async function storeSecretWebhook({ db, secretBox }: App, formId: number): Promise<number> {
  const definition = webhookDefinition.parse({
    ...{ name: 'Office', url: 'https://hooks.example.com/secret-path', max_retries: 0 },
    headers: { authorization: 'Bearer secret-header' },
  })
  const sealing = { secretBox, now: new Date(AT) }
  const id = await saveWebhook(db, { stored: undefined, formId, definition }, sealing)
  await rotateSigningSecret(db, id, sealing)
  return id
}

async function storeLead(app: App, formId: number): Promise<StoredLead> {
  const { db } = app
  const { id } = await db
    .insertInto('form_submissions')
    .values({
      form_id: formId,
      email: 'ada@example.com',
      data_json: '{"email":"ada@example.com"}',
      form_version: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const note = { submission_id: id, user_email: 'bob@example.com', body: 'Call back' }
  const notes = await db.insertInto('submission_notes').values([note, note]).returning('id').execute()
  const mail = { submission_id: id, form_id: formId, recipient: 'office@example.com', created_at: AT }
  const { id: mailId } = await db
    .insertInto('notification_mails')
    .values({ ...mail, status: 'pending', next_attempt_at: FAR, attempt_count: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const attempt = { mail_id: mailId, attempt_number: 1, started_at: AT, duration_ms: 5 }
  const { id: mailAttemptId } = await db
    .insertInto('mail_attempts')
    .values(attempt)
    .returning('id')
    .executeTakeFirstOrThrow()
  const reply = { submission_id: id, form_id: formId, recipient: 'ada@example.com', created_at: AT }
  const { id: replyId } = await db
    .insertInto('reply_mails')
    .values({ ...reply, limit_key: 'ada@example.com', next_attempt_at: FAR })
    .returning('id')
    .executeTakeFirstOrThrow()
  const noteIds = notes.map((row) => row.id)
  return { id, noteIds, mailId, mailAttemptId, replyId, ...(await storeUpload(app, id)) }
}

async function storeUpload({ db, files }: App, submissionId: number) {
  const folder = submissionId.toString(16).padStart(32, '0')
  await files.write(`uploads/${folder}/1`, new Blob(['a photo']))
  const upload = { field_name: 'photo', name: 'roof.jpg', size: 7, type: 'image/jpeg', folder, file: '1' }
  const { id } = await db
    .insertInto('uploads')
    .values({ ...upload, submission_id: submissionId, created_at: AT })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { uploadId: id, file: `${folder}/1` }
}

async function storeDelivery(
  { db }: App,
  {
    formId,
    webhookId,
    leadId,
    status,
  }: { formId: number; webhookId: number; leadId: number; status: DeliveryStatus },
): Promise<StoredDelivery> {
  const isPending = status === 'pending'
  const { id } = await db
    .insertInto('webhook_deliveries')
    .values({
      ...{ form_id: formId, webhook_id: webhookId, submission_id: leadId, status, created_at: AT },
      ...{ message_id: `msg_${webhookId}_${leadId}`, attempt_count: 1 },
      ...(isPending ? { next_attempt_at: FAR } : { finished_at: AT }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('delivery_bodies')
    .values({ delivery_id: id, body: '{"email":"ada@example.com"}' })
    .execute()
  const attempt = { delivery_id: id, attempt_number: 1, started_at: AT, duration_ms: 5, response_status: 500 }
  const { id: attemptId } = await db
    .insertInto('delivery_attempts')
    .values({ ...attempt, request_url: 'https://hooks.example.com/' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, attemptId, webhookId, leadId }
}

/** Returns the rows deleted with a submission, besides its deliveries; named as in `listChanges`. */
export function rowsOfLead(lead: StoredLead): string[] {
  const { id, noteIds, uploadId, file, mailId, mailAttemptId, replyId } = lead
  return [
    ...[`form_submissions ${id}`, ...noteIds.map((noteId) => `submission_notes ${noteId}`)],
    ...[`uploads ${uploadId}`, `files ${file}`],
    ...[`notification_mails ${mailId}`, `mail_attempts ${mailAttemptId}`, `reply_mails ${replyId}`],
  ]
}

/** Returns the rows deleted with a delivery. */
export function rowsOfDelivery({ id, attemptId }: StoredDelivery): string[] {
  return [`webhook_deliveries ${id}`, `delivery_bodies ${id}`, `delivery_attempts ${attemptId}`]
}
