import type { Db } from '../../db/schema.ts'
import type { Form, FormField } from '../../forms/form.ts'
import { notifiesAnyone } from '../../notifications/mail-rules.ts'
import { replyRecipient } from '../intake/reply-content.ts'
import type { Submission } from '../submission.ts'
import { findRecipients } from './find-recipients.ts'

/** Emails that a form sends today, and that a lead never got. */
export interface UnsentMails {
  notification: boolean
  reply: boolean
}

interface Lead {
  submission: Submission
  form: Form
  /** The form's fields at the time. */
  fields: FormField[]
  /** True if emails about it were stored, sent or not. */
  hasMails: boolean
  hasReply: boolean
}

/**
 * Returns which of a form's emails were never planned for a lead: it arrived before there was a mail server, or
 * before the form sent them. Undefined if there are none. Spam gets none.
 */
export async function findUnsentMails(
  db: Db,
  { submission, form, fields, hasMails, hasReply }: Lead,
  { siteUrl }: { siteUrl: string },
): Promise<UnsentMails | undefined> {
  if (submission.status === 'spam') return undefined
  const isNotified = hasMails || !notifiesAnyone(form.settings)
  const notification = !isNotified && (await findRecipients(db, submission, form, { siteUrl })).length > 0
  const reply = !hasReply && replyRecipient({ ...form, fields }, submission) !== undefined
  return notification || reply ? { notification, reply } : undefined
}
