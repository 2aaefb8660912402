import { findLocale } from '../../db/locale-store.ts'
import type { Db } from '../../db/schema.ts'
import { FIELD_TYPES } from '../../forms/field-types/field-types.ts'
import type { Answers, Form, FormField } from '../../forms/form.ts'
import { getFormById } from '../../forms/form-store.ts'
import { mailNotConfigured } from '../../messages/admin/forms.ts'
import type { MailContent } from '../../notifications/mail-content.ts'
import { fieldsOfTheTime, labelAnswers } from '../inbox/label-answers.ts'
import { nameSubmissions } from '../search/submission-names.ts'
import { findSubmission } from '../submission-store.ts'

/** What the notification mail about a submission tells; undefined when the submission or its form is gone, or it is spam. */
export async function describeSubmission(
  db: Db,
  { submissionId, formId }: { submissionId: number; formId: number | null },
  { siteUrl, adminUrl = siteUrl }: { siteUrl: string; adminUrl?: string },
): Promise<MailContent | undefined> {
  const submission = await findSubmission(db, submissionId)
  const form = formId === null ? undefined : await getFormById(db, formId)
  if (!submission || !form || submission.status === 'spam') return undefined
  const { answers, pagePath, submittedAt } = submission
  const fields = await fieldsOfTheTime(db, submission, form)
  const { service: serviceName, places = [] } =
    (await nameSubmissions(db, [submission])).get(submission) ?? {}
  return {
    formName: form.name,
    serviceName,
    places,
    answers: labelAnswers(answers, fields).map(({ label, text, field }) => ({
      label,
      text,
      type: field?.type,
    })),
    replyTo: firstEmail(answers, fields),
    pageUrl: pagePath === null ? undefined : siteUrl + pagePath,
    leadUrl: `${adminUrl}/admin/inbox/${submissionId}`,
    submittedAt,
    locale: await findLocale(db),
  }
}

/**
 * Why the form's `notification_email` is not written to, for the admin; undefined when it is, or when there is none.
 * `mailer` is a configuration's part.
 */
export function inactiveNotification(
  { settings }: Pick<Form, 'settings'>,
  mailer: { smtpUrl: string | undefined },
): string | undefined {
  if (!settings.notification_email || mailer.smtpUrl) return undefined
  return mailNotConfigured
}

function firstEmail(answers: Answers, fields: readonly FormField[]): string | undefined {
  const given = fields
    .filter(({ type }) => FIELD_TYPES[type].contact === 'email')
    .map(({ name }) => answers[name])
  return given.find((answer) => typeof answer === 'string' && answer !== '') as string | undefined
}
