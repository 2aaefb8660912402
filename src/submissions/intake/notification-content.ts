import { findRenamed } from '../../conditions/renamed-store.ts'
import { EVERY_LEAD } from '../../db/lead-scope/lead-scope.ts'
import { findLocale } from '../../db/locale-store.ts'
import type { Db } from '../../db/schema.ts'
import { findFieldType } from '../../forms/field-types/field-types.ts'
import type { Form } from '../../forms/form.ts'
import { getFormById } from '../../forms/form-store.ts'
import { describeVisit } from '../../messages/admin/measuring/sources.ts'
import type { MailContent } from '../../notifications/mail-content.ts'
import type { MailLook } from '../../notifications/mail-look.ts'
import { conditionsOfMails, findRuleFor } from '../../notifications/mail-rules.ts'
import { sourceName } from '../../templates/source-name.ts'
import { leadUrl, type Origins } from '../../webhooks/body/submission-meta.ts'
import { type LabelledAnswer, labelAnswers } from '../inbox/label-answers.ts'
import { UNKNOWN } from '../sources/read-source.ts'
import type { Submission } from '../submission.ts'
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
  { siteUrl, adminUrl = siteUrl, look }: Origins & { look: MailLook },
): Promise<MailContent | undefined> {
  const submission = await findSubmission(db, submissionId, EVERY_LEAD)
  const form = formId === null ? undefined : await getFormById(db, formId)
  if (!submission || !form || submission.status === 'spam') return undefined
  const about = await templateSubject(db, submission, form, { siteUrl, adminUrl })
  const { filledFrom: subject } = about
  const renamed = await findRenamed(db, conditionsOfMails(form.settings), [subject.meta])
  const templates = findRuleFor(form.settings, { ...subject, renamed }, recipient) ?? {}
  return contentAbout(db, { submission, form, about, templates }, { siteUrl, adminUrl, look })
}

/** Returns the content of a notification about a submission, with these texts. */
export async function contentAbout(
  db: Db,
  {
    submission,
    form,
    about,
    templates,
  }: {
    submission: Submission
    form: Form
    about: Awaited<ReturnType<typeof templateSubject>>
    templates: MailContent['templates']
  },
  { siteUrl, adminUrl = siteUrl, look }: Origins & { look: MailLook },
): Promise<MailContent> {
  const { id, answers, pagePath, submittedAt } = submission
  const pages = submission.source?.pages ?? []
  const { filledFrom: subject, fields, serviceName, places } = about
  return {
    subject,
    templates,
    formName: form.name,
    serviceName,
    places,
    answers: labelAnswers(answers, fields)
      .filter((answer) => !isConstant(answer))
      .map(({ label, text, field }) => ({ label, text, type: field?.type })),
    cameFrom: cameFromOf(submission),
    firstVisit: firstVisitOf(submission),
    pagesSeen: pages.length > 1 ? pages : [],
    replyTo: firstEmail(answers, fields),
    pageUrl: pagePath === null ? undefined : siteUrl + pagePath,
    leadUrl: leadUrl(id, adminUrl),
    submittedAt,
    locale: await findLocale(db),
    look,
  }
}

function cameFromOf({ source, sourceName }: Submission): string | undefined {
  if (sourceName === null || sourceName === UNKNOWN) return undefined
  return describeVisit(sourceName, source?.last ?? {})
}

function firstVisitOf({ source }: Submission): string | undefined {
  const { first, last } = source ?? {}
  return first && first.at !== last?.at ? describeVisit(sourceName(first), first) : undefined
}

// A hidden field with its default value says the same in every email. A text of the form's own can still refer to it.
function isConstant({ field, text }: LabelledAnswer): boolean {
  return findFieldType(field?.type)?.widget === 'hidden' && (text === '' || text === field?.defaultValue)
}
