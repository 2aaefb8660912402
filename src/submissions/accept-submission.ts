import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { type CheckedAnswers, checkAnswers, sentTexts, sentValues } from '../forms/check-answers.ts'
import type { Answers, Form } from '../forms/form.ts'
import { commitSubmissions, type PendingSubmission } from './commit-submissions.ts'
import { createFormCache, type PostedForm } from './form-cache.ts'
import { type FormControls, readControls } from './form-controls.ts'
import { createGroupCommit } from './group-commit.ts'
import { isConstraintViolation, isStorageFailure } from './storage-failure.ts'
import type { SubmissionOrigin, SubmissionOutcome } from './submission.ts'
import { findSubmissionByClientId } from './submission-store.ts'

/** What the page that a form stood on is about. */
export type FormPage = Omit<SubmissionOrigin, 'pagePath'>

export interface SubmissionDesk {
  /** Takes a post: names with a string, number, boolean or array of strings. Resolves after it is on disk. */
  accept(formSlug: string, body: Readonly<Record<string, unknown>>): Promise<SubmissionOutcome>
  /** Call it after a change to forms or webhooks in this process; a change elsewhere is seen within a second. */
  invalidate(): void
}

export interface SubmissionDeskOptions {
  db: Kysely<Schema>
  /** Public origin without a trailing slash. */
  siteUrl: string
  /** What the page at that path is about, or undefined when there is no such page. */
  findPage: (path: string) => Promise<FormPage | undefined> | FormPage | undefined
  /** Called after each commit that may have left deliveries to send. */
  onAccepted: () => void
  now?: () => Date
}

/** Where posts of forms are checked and stored, each with its deliveries in one transaction (§6.1, contract §5). */
export function createSubmissionDesk(options: SubmissionDeskOptions): SubmissionDesk {
  const { db, siteUrl, now = () => new Date() } = options
  const forms = createFormCache({ db, now })
  const commit = createGroupCommit({
    commitAll: (pending: readonly PendingSubmission[]) => commitSubmissions(db, pending, { siteUrl }),
    concernsAll: isStorageFailure,
  })

  async function acceptOnce(slug: string, body: Readonly<Record<string, unknown>>) {
    const posted = await forms.find(slug)
    if (!posted || posted.form.status === 'draft') return { kind: 'not_found' } as const
    if (posted.form.status === 'archived') return { kind: 'gone' } as const
    const controls = readControls(body)
    const checked = checkAnswers(posted.form.fields, body)
    if (checked.kind === 'invalid') return refuse(db, posted.form, controls, body, checked)
    const pending = await toPending({ ...options, now }, posted, controls, body, checked.answers)
    const committed = await commit(pending)
    if (committed.kind === 'accepted' && pending.submission.status === 'new') options.onAccepted()
    return { ...committed, form: posted.form }
  }

  return {
    invalidate: forms.invalidate,
    async accept(slug, body) {
      try {
        return await acceptOnce(slug, body).catch((error) => {
          // The form or a webhook of it may have been deleted since it was read: look again, once.
          if (!isConstraintViolation(error)) throw error
          forms.invalidate()
          return acceptOnce(slug, body)
        })
      } catch (error) {
        if (isStorageFailure(error)) return { kind: 'unavailable' }
        throw error
      }
    },
  }
}

// The first answer to an `_id` stands, whatever is sent under it later.
async function refuse(
  db: Db,
  form: Form,
  controls: FormControls,
  body: Readonly<Record<string, unknown>>,
  { errors }: Extract<CheckedAnswers, { kind: 'invalid' }>,
): Promise<SubmissionOutcome> {
  const earlier = controls.id && (await findSubmissionByClientId(db, form.id, controls.id))
  if (earlier) return { kind: 'repeated', id: earlier.id, submittedAt: earlier.submittedAt, form }
  const values = sentValues(form.fields, body)
  return { kind: 'invalid', form, errors, values, pagePath: controls.page ?? null }
}

async function toPending(
  { findPage, now }: Pick<SubmissionDeskOptions, 'findPage'> & { now: () => Date },
  posted: PostedForm,
  controls: FormControls,
  body: Readonly<Record<string, unknown>>,
  answers: Answers,
): Promise<PendingSubmission> {
  const page = controls.page === undefined ? undefined : await findPage(controls.page)
  const submittedAt = now()
  return {
    ...posted,
    submission: {
      formId: posted.form.id,
      clientId: controls.id ?? newClientId(submittedAt),
      status: isDecoyFilled(posted.form, body) ? 'spam' : 'new',
      answers,
      submittedAt: submittedAt.toISOString(),
      pagePath: controls.page ?? null,
      serviceSlug: page?.serviceSlug ?? null,
      locationSlug: page?.locationSlug ?? null,
      locationName: page?.locationName ?? null,
      locationPath: page?.locationPath ?? null,
    },
  }
}

function isDecoyFilled({ settings: { honeypot }, fields }: Form, body: Readonly<Record<string, unknown>>) {
  if (honeypot == null || fields.some(({ name }) => name === honeypot)) return false
  return sentTexts(body, honeypot).some((text) => text.trim() !== '')
}

// A UUID of version 7: it begins with the time, so that new ones stand side by side in the index.
function newClientId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
