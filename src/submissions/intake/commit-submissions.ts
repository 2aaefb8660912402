import type { Kysely } from 'kysely'
import { runWithCommit } from '../../db/postgres/pipeline.ts'
import type { Db, Schema } from '../../db/schema.ts'
import { listRecipients, notifiesAnyone } from '../../notifications/mail-rules.ts'
import { mailDeletes, mailInserts } from '../../notifications/mail-store.ts'
import { deleteReplies } from '../../notifications/replies/reply-store.ts'
import { submissionMeta } from '../../webhooks/body/submission-meta.ts'
import { deliveryInserts } from '../../webhooks/deliveries/delivery-store.ts'
import { planDeliveries } from '../../webhooks/deliveries/plan-deliveries.ts'
import { deliveryDeletes } from '../../webhooks/deliveries/spam-delivery-store.ts'
import { recentPostInserts } from '../limits/recent-post-store.ts'
import { findSubmissionByClientId } from '../submission-store.ts'
import { attachUploads } from '../uploads/upload-attachment.ts'
import { type InsertedSubmissions, insertAllowed, keyOf, type Refusal } from './insert-allowed.ts'
import type { CommitOptions, PendingSubmission } from './pending-submission.ts'
import { planReplyOf } from './reply-content.ts'

/**
 * The result: stored now, stored earlier under the same `clientId`, or refused because the challenge was already used
 * or the sender posted too often, counting posts on all servers.
 */
export type CommittedSubmission = { kind: 'accepted' | 'repeated'; id: number; submittedAt: string } | Refusal

/**
 * Stores submissions with their deliveries in one transaction and returns the results in the same order. Each
 * `clientId` is stored once per form, even within one call. Spam gets no deliveries but does the same work, so that
 * the response time doesn't reveal a filled spam trap. Waits for the database twice: once for the inserts, once for
 * everything after them, including the commit.
 */
export function commitSubmissions(
  db: Kysely<Schema>,
  pending: readonly PendingSubmission[],
  options: CommitOptions,
): Promise<CommittedSubmission[]> {
  return db.transaction().execute(async (trx) => {
    const { firsts, ids, refusals } = await insertAllowed(trx, pending, options)
    const stored = await withUploads(trx, firsts, ids)
    await planReplies(trx, firsts, ids, options)
    const results: CommittedSubmission[] = []
    for (const one of pending) results.push(await resultOf(trx, one, { firsts, ids, refusals }))
    const deliveries = [...ids].flatMap(([key, id]) => deliveriesOf(stored.get(key), id, options))
    const mails = [...ids].flatMap(([key, id]) => mailsOf(firsts.get(key), id, options))
    const posts = [...ids.keys()].flatMap((key) => recentPostOf(firsts.get(key)))
    const isSpam = isSpamOf(firsts, ids)
    await runWithCommit(trx, [
      ...deliveryInserts(trx, deliveries),
      ...mailInserts(trx, mails),
      ...deliveryDeletes(trx, deliveries.flatMap(isSpam)),
      ...mailDeletes(trx, mails.flatMap(isSpam)),
      ...recentPostInserts(trx, posts),
    ])
    return results
  })
}

// Answers as inserted: files refer to the IDs of their rows.
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
  pending: PendingSubmission,
  { firsts, ids, refusals }: InsertedSubmissions,
): Promise<CommittedSubmission> {
  const { submission } = pending
  const key = keyOf(submission)
  const id = ids.get(key)
  const first = firsts.get(key)?.submission
  if (id !== undefined && first) {
    return { kind: first === submission ? 'accepted' : 'repeated', id, submittedAt: first.submittedAt }
  }
  const earlier = await findSubmissionByClientId(db, submission.formId, submission.clientId)
  const refusal = refusals.get(pending)
  if (!earlier && refusal) return refusal
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
  const { meta, ...subject } = subjectOf(pending, submissionId, options)
  return listRecipients(pending.form.settings, { ...subject, meta: { ...meta } }).map((recipient) => ({
    submissionId,
    formId,
    recipient,
    createdAt,
  }))
}

function subjectOf({ submission, form, renamed }: PendingSubmission, id: number, { siteUrl }: CommitOptions) {
  const meta = submissionMeta({ ...submission, id, form }, { siteUrl })
  return { answers: submission.answers, meta, renamed }
}

// Spam goes last, because it doesn't count toward the limits of the others.
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
  const spam = wanted.filter(({ submission }) => submission.status === 'spam')
  const others = wanted.filter(({ submission }) => submission.status !== 'spam')
  for (const { form, submission, id } of [...others, ...spam]) {
    const now = new Date(submission.submittedAt)
    await planReplyOf(db, form, { id, answers: submission.answers }, { now })
  }
  await deleteReplies(
    db,
    spam.map(({ id }) => id),
  )
}

function isSpamOf(firsts: ReadonlyMap<string, PendingSubmission>, ids: ReadonlyMap<string, number>) {
  const spam = new Set<number>()
  for (const [key, id] of ids) if (firsts.get(key)?.submission.status === 'spam') spam.add(id)
  return ({ submissionId }: { submissionId: number }) => (spam.has(submissionId) ? submissionId : [])
}

function recentPostOf(pending: PendingSubmission | undefined) {
  if (!pending?.sender) return []
  const { sender, submission, uploads = [] } = pending
  const uploadBytes = uploads.reduce((sum, { size }) => sum + size, 0)
  return [{ addressHash: sender.current, postedAt: submission.submittedAt, uploadBytes }]
}
