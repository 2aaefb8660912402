import { findLocale } from '../../db/locale-store.ts'
import type { Db } from '../../db/schema.ts'
import type { Form } from '../../forms/form.ts'
import { type ComposedMail, composeMail } from '../../notifications/compose-mail.ts'
import type { MailContent } from '../../notifications/mail-content.ts'
import type { MailLook } from '../../notifications/mail-look.ts'
import { composeReply } from '../../notifications/replies/compose-reply.ts'
import { listPlaces } from '../../taxonomies/taxonomy-store.ts'
import { sampleAnswers } from '../../webhooks/body/sample-answers.ts'
import type { Origins } from '../../webhooks/body/submission-meta.ts'
import { listServicesByTitle } from '../search/names-store.ts'
import type { Submission } from '../submission.ts'
import { contentAbout } from './notification-content.ts'
import { templateSubject } from './template-subject.ts'

type Options = Origins & { look: MailLook; now: Date }

/** Composes the notification about a sample lead of a form. */
export async function composeSampleMail(
  db: Db,
  form: Form,
  templates: MailContent['templates'],
  { now, ...origins }: Options,
): Promise<ComposedMail> {
  const submission = await sampleSubmission(db, form, now)
  const about = await templateSubject(db, submission, form, origins)
  return composeMail(await contentAbout(db, { submission, form, about, templates }, origins))
}

/** Composes the reply to a sample lead of a form. */
export async function composeSampleReply(
  db: Db,
  form: Form,
  { subject, text, reply_to }: NonNullable<Form['settings']['reply']>,
  { now, look, ...origins }: Options,
): Promise<ComposedMail> {
  const submission = await sampleSubmission(db, form, now)
  const { filledFrom } = await templateSubject(db, submission, form, origins)
  const { language } = await findLocale(db)
  return composeReply({ subject, text, replyTo: reply_to ?? undefined, look, language, filledFrom })
}

// About the first service in the first place, like a lead from the page of both.
async function sampleSubmission(db: Db, form: Form, now: Date): Promise<Submission> {
  const fields = form.fields.map(({ name, type, options }) => ({
    ...{ name, type },
    options: options.map(({ label, value }) => `${label}/${value}`),
  }))
  const [service] = await listServicesByTitle(db, { limit: 1 })
  const [place] = await listPlaces(db, { limit: 1 })
  return {
    ...{ id: 0, formId: form.id, formVersion: form.version, clientId: null, status: 'new', stage: 'new' },
    ...{ assigneeId: null, spamReason: null, submittedAt: now.toISOString(), pagePath: null },
    ...{ sourceName: null, source: null, consents: {} },
    answers: { ...sampleAnswers(fields, await findLocale(db)) } as Submission['answers'],
    serviceId: service?.id ?? null,
    serviceSlug: service?.slug ?? null,
    serviceName: service?.name ?? null,
    locationId: place?.id ?? null,
    locationSlug: place?.slug ?? null,
    locationName: place?.name ?? null,
    locationPath: place?.slug ?? null,
  }
}
