import { findRenamed } from '../../conditions/renamed-store.ts'
import { EVERY_LEAD } from '../../db/lead-scope/lead-scope.ts'
import { findLocale } from '../../db/locale-store.ts'
import type { Db } from '../../db/schema.ts'
import { getFormById } from '../../forms/form-store.ts'
import type { MailContent } from '../../notifications/mail-content.ts'
import { conditionsOfMails, findRuleFor } from '../../notifications/mail-rules.ts'
import { leadUrl, type Origins } from '../../webhooks/body/submission-meta.ts'
import { labelAnswers } from '../inbox/label-answers.ts'
import { findSubmission } from '../submission-store.ts'
import { firstEmail } from './first-email.ts'
import { templateSubject } from './template-subject.ts'

/**
 * Returns the content of the notification about a submission; undefined if the submission or its form was deleted, or
 * if it is spam.
 */
export async function describeSubmission(
  db: Db,
  { submissionId, formId, recipient }: { submissionId: number; formId: number | null; recipient: string },
  { siteUrl, adminUrl = siteUrl }: Origins,
): Promise<MailContent | undefined> {
  const submission = await findSubmission(db, submissionId, EVERY_LEAD)
  const form = formId === null ? undefined : await getFormById(db, formId)
  if (!submission || !form || submission.status === 'spam') return undefined
  const { answers, pagePath, submittedAt } = submission
  const about = await templateSubject(db, submission, form, { siteUrl, adminUrl })
  const { filledFrom: subject, fields, serviceName, places } = about
  const renamed = await findRenamed(db, conditionsOfMails(form.settings), [subject.meta])
  return {
    subject,
    templates: findRuleFor(form.settings, { ...subject, renamed }, recipient) ?? {},
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
    leadUrl: leadUrl(submissionId, adminUrl),
    submittedAt,
    locale: await findLocale(db),
  }
}
