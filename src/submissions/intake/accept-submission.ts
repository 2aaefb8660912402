import type { Kysely } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import { UncertainCommit } from '../../db/lost-answer.ts'
import type { Db, Schema } from '../../db/schema.ts'
import { isConstraintViolation, isStorageFailure } from '../../db/storage-failure.ts'
import { acceptedWording } from '../../forms/accepted-wording.ts'
import { checkAnswers, sentValues } from '../../forms/check-answers.ts'
import { answersNotAsked } from '../../forms/fields/asked-fields.ts'
import type { Answers, Form } from '../../forms/form.ts'
import { localDayOf } from '../../lib/locale/calendar-day.ts'
import { answerWithin, type PostDeadline, unavailable } from '../limits/post-deadline.ts'
import type { PostLimits } from '../limits/post-limits.ts'
import type { ProofOfWork } from '../limits/proof-of-work.ts'
import type { SenderNames } from '../limits/sender-names.ts'
import { type CameFrom, readSource } from '../sources/read-source.ts'
import type { SubmissionOutcome } from '../submission.ts'
import { findSubmissionByClientId } from '../submission-store.ts'
import type { PostedFiles } from '../uploads/upload.ts'
import { listUploads } from '../uploads/upload-attachment.ts'
import { createAskedForms, type FindAskedForm } from './asked-form.ts'
import { checkProof, FAILED_PROOF, proofErrors } from './check-proof.ts'
import { commitSubmissions } from './commit-submissions.ts'
import { createFormCache, type PostedForm } from './form-cache.ts'
import { type FormControls, newClientId, pageOf, pageToPostAgain, readControls } from './form-controls.ts'
import { type FormPage, toOrigin } from './form-page.ts'
import { createGroupCommit } from './group-commit.ts'
import type { Refusal } from './insert-allowed.ts'
import type { PendingSubmission } from './pending-submission.ts'
import { spamReason } from './spam-signs.ts'
import type { IntakeHooks } from './submission-hooks.ts'

/** The sender of a post, and its controls beside the texts. */
export interface Sender {
  /** Result of `createClientAddress`; without it, no limits apply. */
  address?: string
  /** Files on disk. The caller removes them unless the outcome is `accepted`. */
  files?: PostedFiles
  cameFrom?: CameFrom
}

export interface SubmissionDesk {
  /**
   * Accepts a post, whose values are strings, numbers, booleans, or arrays of strings. Resolves once it is on disk.
   */
  accept(
    formSlug: string,
    body: Readonly<Record<string, unknown>>,
    sender?: Sender,
  ): Promise<SubmissionOutcome>
  /** Returns the form with that slug, at most one second old. */
  findForm(slug: string): Promise<Form | undefined>
  /** Returns the form as shown by a page that sends this version. */
  findAskedForm(form: Form, version: number | undefined): Promise<Form>
  /** Clears the form cache after a change in this process. Changes by other processes take effect within a second. */
  invalidate(): void
}

export interface SubmissionDeskOptions {
  db: Kysely<Schema>
  /** Public origin without a trailing slash. */
  siteUrl: string
  /** Returns the subject of the page at that path; undefined if there is no such page. */
  findPage: (path: string) => Promise<FormPage | undefined> | FormPage | undefined
  /** Called after each commit that may have created deliveries. */
  onAccepted: () => void
  /** Without it, no limits apply. */
  limits?: PostLimits | undefined
  /** Without it, forms that require a proof of work refuse every post. */
  proofOfWork?: ProofOfWork | undefined
  /** Returns true if the source of leads is stored; asked once a second. Default: true. */
  keepsSources?: () => Promise<boolean>
  /** The site's own hosts, which don't count as a source. */
  ownHosts?: ReadonlySet<string>
  /** True if a mail server is set up for `notification_email`. */
  sendsMail?: boolean
  /** Time after which a post is `unavailable`. Without it, a post waits for the database indefinitely. */
  answerWithinMs?: number | undefined
  /** Receives the reason when a post was not stored. */
  onFailure?: (error: unknown) => void
  /** The site's hooks around storing; undefined for most sites. */
  hooks?: IntakeHooks | undefined
  /** Creation time of the oldest release that a visitor may still see (UTC text); undefined without releases. */
  findOldestRelease?: () => Promise<string | undefined>
  now?: () => Date
}

/**
 * Returns the submission desk, which checks form posts and stores each with its deliveries in one transaction (§6.1,
 * contract §5).
 */
export function createSubmissionDesk(options: SubmissionDeskOptions): SubmissionDesk {
  const { db, limits, answerWithinMs, onFailure } = options
  const { findOldestRelease = async () => undefined, now = () => new Date() } = options
  const forms = createFormCache({ db, now, keepsSources: options.keepsSources })
  const findAskedForm = createAskedForms(db, { now, findOldestRelease })
  const takePost = createIntake({ ...options, now, findAskedForm })

  async function acceptOnce(
    slug: string,
    body: Body,
    { address, files, cameFrom, deadline }: Sender & { deadline: PostDeadline },
  ): Promise<SubmissionOutcome> {
    const posted = await forms.find(slug)
    if (!posted || posted.form.status === 'draft') return { kind: 'not_found' }
    if (posted.form.status === 'archived') return { kind: 'gone' }
    const post = { posted, body, controls: readControls(body), files, cameFrom, deadline }
    return limits && address !== undefined ? takeWithin(limits, post, address) : takePost(post)
  }

  async function takeWithin(limits: PostLimits, post: Post, address: string): Promise<SubmissionOutcome> {
    const place = await limits.take(post.posted.form.id, address)
    if (place.kind === 'too_many') return (await repeatedOutcome(db, post)) ?? place
    const outcome = await takePost({ ...post, sender: place.sender }).catch((error) => {
      place.giveBack()
      throw error
    })
    if (outcome.kind !== 'accepted') place.giveBack()
    return outcome
  }

  async function tryAccept(slug: string, body: Body, sender: Sender & { deadline: PostDeadline }) {
    try {
      return await acceptOnce(slug, body, sender).catch((error) => {
        // The form or one of its webhooks may have been deleted since it was cached, so read it again once.
        if (!isConstraintViolation(error)) throw error
        forms.invalidate()
        return acceptOnce(slug, body, sender)
      })
    } catch (error) {
      if (!isStorageFailure(error)) throw error
      onFailure?.(error)
      return unavailable({ mayBeStored: error instanceof UncertainCommit })
    }
  }

  return {
    invalidate: forms.invalidate,
    findForm: async (slug) => (await forms.find(slug))?.form,
    findAskedForm: (form, version) => findAskedForm(form, version, {}),
    accept: (slug, body, sender = {}) =>
      answerWithin(answerWithinMs, (deadline) => tryAccept(slug, body, { ...sender, deadline })),
  }
}

type Body = Readonly<Record<string, unknown>>

/** Handles a post to an active form. */
interface Post {
  posted: PostedForm
  body: Body
  controls: FormControls
  sender?: SenderNames
  files?: PostedFiles | undefined
  cameFrom?: CameFrom | undefined
  deadline: PostDeadline
}

type IntakeOptions = SubmissionDeskOptions & { now: () => Date; findAskedForm: FindAskedForm }

// Handles a valid post up to its transaction.
function createIntake(options: IntakeOptions) {
  const { db, siteUrl, sendsMail, limits, proofOfWork, onAccepted, findAskedForm, hooks } = options
  const commit = createGroupCommit({
    commitAll(pending: readonly PendingSubmission[]) {
      for (const { deadline } of pending) deadline?.beginCommit()
      return commitSubmissions(db, pending, { siteUrl, sendsMail, limits })
    },
    concernsAll: isStorageFailure,
    isGivenUp: ({ deadline }) => deadline?.isOver() ?? false,
    isRemote: engineOf(db) === 'postgres',
  })

  function onStored(pending: PendingSubmission, id: number) {
    if (pending.submission.status !== 'new') return
    onAccepted()
    hooks?.after?.(pending, id)
  }

  return async (post: Post): Promise<SubmissionOutcome> => {
    const { posted, body, controls, files, deadline } = post
    const form = await findAskedForm(posted.form, controls.version, body)
    const asked = { ...post, posted: { ...posted, form } }
    const checked = checkAnswers(form.fields, body, files?.byField, posted)
    if (checked.kind === 'invalid') return refuse(db, asked, checked.errors)
    const proof = await checkProof(proofOfWork, form, body)
    if ('problem' in proof) return refuse(db, asked, proofErrors(proof))
    // Files first: a row must never refer to bytes that a power failure could still lose.
    if (files) await deadline.besides(files.keep())
    const answers = { ...checked.answers, ...answersNotAsked(posted.form, form) }
    const pending = { ...(await toPending(options, asked, answers)), spends: proof.spends, deadline }
    const refusal = await hooks?.before?.(pending)
    if (refusal !== undefined) return refuse(db, asked, { _form: [refusal] })
    const committed = await commit(pending)
    if (!('id' in committed)) return answerRefused(db, asked, committed)
    if (committed.kind === 'accepted') onStored(pending, committed.id)
    return { ...committed, form: posted.form }
  }
}

function answerRefused(db: Db, post: Post, refusal: Refusal): SubmissionOutcome | Promise<SubmissionOutcome> {
  return refusal.kind === 'too_many' ? refusal : refuse(db, post, proofErrors(FAILED_PROOF))
}

async function refuse(db: Db, post: Post, errors: Record<string, string[]>): Promise<SubmissionOutcome> {
  const { form } = post.posted
  const values = sentValues(form.fields, post.body, post.files?.byField)
  const invalid = { kind: 'invalid', form, errors, values, pagePath: pageToPostAgain(post) ?? null } as const
  return (await repeatedOutcome(db, post)) ?? invalid
}

// The first response to an `_id` is final, even if other content follows.
async function repeatedOutcome(
  db: Db,
  { posted: { form }, controls }: Post,
): Promise<SubmissionOutcome | undefined> {
  const earlier = controls.id && (await findSubmissionByClientId(db, form.id, controls.id))
  return earlier ? { kind: 'repeated', id: earlier.id, submittedAt: earlier.submittedAt, form } : undefined
}

async function toPending(
  { findPage, ownHosts = new Set(), now }: IntakeOptions,
  { posted, body, controls, sender, files, cameFrom }: Post,
  answers: Answers,
): Promise<PendingSubmission> {
  const page = controls.page === undefined ? undefined : await findPage(controls.page)
  const submittedAt = now()
  const came = posted.keepsSources
    ? readSource({ ...cameFrom, ...pageOf(controls), sent: body._source, ownHosts, now: submittedAt })
    : undefined
  const spam = spamReason(posted.form, { body, answers, controls, now: submittedAt })
  return {
    ...posted,
    sender,
    uploads: listUploads(posted.form.fields, answers, files),
    submission: {
      formId: posted.form.id,
      formVersion: posted.form.version,
      clientId: controls.id ?? newClientId(submittedAt),
      status: spam === undefined ? 'new' : 'spam',
      spamReason: spam ?? null,
      answers,
      submittedAt: submittedAt.toISOString(),
      localDay: localDayOf(submittedAt, posted.timeZone),
      pagePath: controls.page ?? null,
      ...toOrigin(page),
      consents: acceptedWording(posted.form.fields, answers),
      ...{ sourceName: came?.name ?? null, source: came?.source ?? null },
    },
  }
}
