import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { listRecipients, notifiesAnyone } from '../../notifications/mail-rules.ts'
import { deleteMails, insertMails } from '../../notifications/mail-store.ts'
import { deleteReplies } from '../../notifications/replies/reply-store.ts'
import { submissionMeta } from '../../webhooks/body/submission-meta.ts'
import { insertDeliveries } from '../../webhooks/deliveries/delivery-store.ts'
import { planDeliveries } from '../../webhooks/deliveries/plan-deliveries.ts'
import { deleteDeliveries } from '../../webhooks/deliveries/spam-delivery-store.ts'
import type { PostDeadline } from '../limits/post-deadline.ts'
import { insertRecentPosts } from '../limits/recent-post-store.ts'
import { type SpentChallenge, spendChallenges } from '../limits/spent-challenge-store.ts'
import type { NewSubmission } from '../submission.ts'
import { findSubmissionByClientId, insertSubmissions } from '../submission-store.ts'
import type { NewUpload } from '../uploads/upload.ts'
import { attachUploads } from '../uploads/upload-attachment.ts'
import type { PostedForm } from './form-cache.ts'
import { planReplyOf } from './reply-content.ts'

/** A checked submission that waits for its transaction. */
export interface PendingSubmission extends PostedForm {
  submission: NewSubmission
  /** Counts as this sender's post, see `PostLimits`. */
  addressHash?: string | undefined
  /** The challenge that it was sent with, taken once. */
  spends?: SpentChallenge | undefined
  /** On disk already. */
  uploads?: readonly NewUpload[]
  deadline?: PostDeadline
}

/** The result: stored now, stored under its `clientId` before, or refused because its challenge was used before. */
export type CommittedSubmission =
  | { kind: 'accepted' | 'repeated'; id: number; submittedAt: string }
  | { kind: 'challenge_spent' }

export interface CommitOptions {
  siteUrl: string
  /** True if there is a mail server; without one no mails are planned. */
  sendsMail?: boolean | undefined
}

/**
 * Stores submissions with their deliveries in one transaction; results in the order given. The same `clientId` is
 * stored once per form, also within one call. Spam gets no deliveries, after as much work as if it did: how long an
 * answer takes does not tell a sender that a decoy was one.
 */
export function commitSubmissions(
  db: Kysely<Schema>,
  pending: readonly PendingSubmission[],
  options: CommitOptions,
): Promise<CommittedSubmission[]> {
  return db.transaction().execute(async (trx) => {
    const firsts = firstOfEachKey(await withFreshChallenges(trx, pending))
    const ids = await insertFirsts(trx, firsts)
    const stored = await withUploads(trx, firsts, ids)
    const deliveries = [...ids].flatMap(([key, id]) => deliveriesOf(stored.get(key), id, options))
    if (deliveries.length > 0) await insertDeliveries(trx, deliveries)
    const mails = [...ids].flatMap(([key, id]) => mailsOf(firsts.get(key), id, options))
    await insertMails(trx, mails)
    const isSpam = isSpamOf(firsts, ids)
    await deleteDeliveries(trx, deliveries.flatMap(isSpam))
    await deleteMails(trx, mails.flatMap(isSpam))
    await planReplies(trx, firsts, ids, options)
    await insertRecentPosts(
      trx,
      [...ids.keys()].flatMap((key) => recentPostOf(firsts.get(key))),
    )
    const results: CommittedSubmission[] = []
    for (const one of pending) results.push(await resultOf(trx, one, firsts, ids))
    return results
  })
}

async function withFreshChallenges(db: Db, pending: readonly PendingSubmission[]) {
  const fresh = new Set(
    await spendChallenges(
      db,
      pending.flatMap(({ spends }) => spends ?? []),
    ),
  )
  // Among posts with the same challenge, the first one uses it.
  return pending.filter(({ spends }) => spends === undefined || fresh.delete(spends.challenge))
}

function firstOfEachKey(pending: readonly PendingSubmission[]): Map<string, PendingSubmission> {
  const firsts = new Map<string, PendingSubmission>()
  for (const one of pending) {
    const key = keyOf(one.submission)
    if (!firsts.has(key)) firsts.set(key, one)
  }
  return firsts
}

async function insertFirsts(db: Db, firsts: ReadonlyMap<string, PendingSubmission>) {
  const inserted = await insertSubmissions(
    db,
    [...firsts.values()].map(({ submission }) => submission),
  )
  return new Map(inserted.map((row) => [keyOf(row), row.id]))
}

// As they were inserted: the answers of those with files name the rows of these.
async function withUploads(
  db: Db,
  firsts: ReadonlyMap<string, PendingSubmission>,
  ids: ReadonlyMap<string, number>,
) {
  const stored = new Map(firsts)
  for (const [key, { submission, uploads = [], ...rest }] of firsts) {
    const id = ids.get(key)
    if (id === undefined || uploads.length === 0) continue
    const answers = await attachUploads(db, id, submission, uploads)
    stored.set(key, { ...rest, submission: { ...submission, answers } })
  }
  return stored
}

async function resultOf(
  db: Db,
  { submission, spends }: PendingSubmission,
  firsts: ReadonlyMap<string, PendingSubmission>,
  ids: ReadonlyMap<string, number>,
): Promise<CommittedSubmission> {
  const key = keyOf(submission)
  const id = ids.get(key)
  const first = firsts.get(key)?.submission
  if (id !== undefined && first) {
    return { kind: first === submission ? 'accepted' : 'repeated', id, submittedAt: first.submittedAt }
  }
  const earlier = await findSubmissionByClientId(db, submission.formId, submission.clientId)
  if (!earlier && spends) return { kind: 'challenge_spent' }
  if (!earlier) throw new Error(`Submission ${key} was neither inserted nor there before`)
  return { kind: 'repeated', id: earlier.id, submittedAt: earlier.submittedAt }
}

function deliveriesOf(pending: PendingSubmission | undefined, submissionId: number, options: CommitOptions) {
  if (!pending) return []
  const now = new Date(pending.submission.submittedAt)
  return planDeliveries(pending.webhooks, subjectOf(pending, submissionId, options), { now })
}

function mailsOf(pending: PendingSubmission | undefined, submissionId: number, options: CommitOptions) {
  if (!pending || !options.sendsMail || !notifiesAnyone(pending.form.settings)) return []
  const { formId, submittedAt: createdAt } = pending.submission
  const { answers, meta } = subjectOf(pending, submissionId, options)
  return listRecipients(pending.form.settings, { answers, meta: { ...meta } }).map((recipient) => ({
    submissionId,
    formId,
    recipient,
    createdAt,
  }))
}

function subjectOf({ submission, form }: PendingSubmission, id: number, { siteUrl }: CommitOptions) {
  const meta = submissionMeta({ ...submission, id, form }, { siteUrl })
  return { answers: submission.answers, meta }
}

// Those of spam after the others, whose limits they do not touch.
async function planReplies(
  db: Db,
  firsts: ReadonlyMap<string, PendingSubmission>,
  ids: ReadonlyMap<string, number>,
  { sendsMail }: CommitOptions,
): Promise<void> {
  if (!sendsMail) return
  const wanted = [...ids].flatMap(([key, id]) => {
    const pending = firsts.get(key)
    return pending?.form.settings.reply ? { ...pending, id } : []
  })
  const [spam, others] = ['spam', 'new'].map((status) =>
    wanted.filter(({ submission }) => submission.status === status),
  )
  for (const { form, submission, id } of [...(others ?? []), ...(spam ?? [])]) {
    const now = new Date(submission.submittedAt)
    await planReplyOf(db, form, { id, answers: submission.answers }, { now })
  }
  await deleteReplies(
    db,
    (spam ?? []).map(({ id }) => id),
  )
}

function isSpamOf(firsts: ReadonlyMap<string, PendingSubmission>, ids: ReadonlyMap<string, number>) {
  const spam = new Set<number>()
  for (const [key, id] of ids) if (firsts.get(key)?.submission.status === 'spam') spam.add(id)
  return ({ submissionId }: { submissionId: number }) => (spam.has(submissionId) ? submissionId : [])
}

function recentPostOf(pending: PendingSubmission | undefined) {
  if (pending?.addressHash === undefined) return []
  const { addressHash, submission, uploads = [] } = pending
  const uploadBytes = uploads.reduce((sum, { size }) => sum + size, 0)
  return [{ addressHash, postedAt: submission.submittedAt, uploadBytes }]
}

function keyOf({ formId, clientId }: { formId: number; clientId: string }): string {
  return `${formId}/${clientId}`
}
