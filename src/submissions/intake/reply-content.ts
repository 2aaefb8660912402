import { EVERY_LEAD } from '../../db/lead-scope/lead-scope.ts'
import { findLocale } from '../../db/locale-store.ts'
import type { Db } from '../../db/schema.ts'
import type { Form } from '../../forms/form.ts'
import { getFormById } from '../../forms/form-store.ts'
import type { MailLook } from '../../notifications/mail-look.ts'
import type { MailReasonCode } from '../../notifications/mail-reason.ts'
import type { ReplyContent } from '../../notifications/replies/compose-reply.ts'
import { planReply } from '../../notifications/replies/plan-reply.ts'
import type { Origins } from '../../webhooks/body/submission-meta.ts'
import type { Submission } from '../submission.ts'
import { findSubmission } from '../submission-store.ts'
import { firstEmail } from './first-email.ts'
import { templateSubject } from './template-subject.ts'

/** Returns the content of the reply to a submission, or why it is no longer sent. */
export async function describeReply(
  db: Db,
  { submissionId, formId }: { submissionId: number; formId: number | null },
  { look, ...origins }: Origins & { look: MailLook },
): Promise<ReplyContent | { reason: MailReasonCode }> {
  const submission = await findSubmission(db, submissionId, EVERY_LEAD)
  const form = formId === null ? undefined : await getFormById(db, formId)
  if (submission?.status === 'spam') return { reason: 'spam' }
  const reply = form?.settings.reply
  if (!submission || !form || !reply) return { reason: 'reply_off' }
  const { filledFrom } = await templateSubject(db, submission, form, origins)
  const { language } = await findLocale(db)
  return {
    ...{ subject: reply.subject, text: reply.text, replyTo: reply.reply_to ?? undefined },
    ...{ look, language, filledFrom },
  }
}

/** Returns the visitor's address that the form replies to; undefined if it doesn't reply, or without an address. */
export function replyRecipient(
  { fields, settings }: Pick<Form, 'fields' | 'settings'>,
  { answers }: Pick<Submission, 'answers'>,
): string | undefined {
  return settings.reply ? firstEmail(answers, fields) : undefined
}

/**
 * Plans the reply that the form sends, if the submission has an email address. Call it in the submission's
 * transaction.
 */
export async function planReplyOf(
  db: Db,
  form: Pick<Form, 'id' | 'fields' | 'settings'>,
  submission: Pick<Submission, 'id' | 'answers'>,
  { now }: { now: Date },
): Promise<void> {
  const recipient = replyRecipient(form, submission)
  if (recipient) await planReply(db, { submissionId: submission.id, formId: form.id, recipient, now })
}
