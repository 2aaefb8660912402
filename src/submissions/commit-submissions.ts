import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { insertDeliveries } from '../webhooks/delivery-store.ts'
import { planDeliveries } from '../webhooks/plan-deliveries.ts'
import { submissionMeta } from '../webhooks/submission-meta.ts'
import type { PostedForm } from './form-cache.ts'
import type { NewSubmission } from './submission.ts'
import { findSubmissionByClientId, insertSubmissions } from './submission-store.ts'

/** A checked submission that waits for its transaction. */
export interface PendingSubmission extends PostedForm {
  submission: NewSubmission
}

/** What became of it: stored now, or stored under its `clientId` before. */
export interface CommittedSubmission {
  kind: 'accepted' | 'repeated'
  id: number
  submittedAt: string
}

/**
 * Stores submissions with their deliveries in one transaction; results in the order given. The same `clientId` is
 * stored once per form, also within one call. Spam gets no deliveries.
 */
export function commitSubmissions(
  db: Kysely<Schema>,
  pending: readonly PendingSubmission[],
  { siteUrl }: { siteUrl: string },
): Promise<CommittedSubmission[]> {
  return db.transaction().execute(async (trx) => {
    const firsts = firstOfEachKey(pending)
    const ids = await insertFirsts(trx, firsts)
    const deliveries = [...ids].flatMap(([key, id]) => deliveriesOf(firsts.get(key), id, siteUrl))
    if (deliveries.length > 0) await insertDeliveries(trx, deliveries)
    const results: CommittedSubmission[] = []
    for (const { submission } of pending) results.push(await resultOf(trx, submission, firsts, ids))
    return results
  })
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

async function resultOf(
  db: Db,
  submission: NewSubmission,
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
  if (!earlier) throw new Error(`Submission ${key} was neither inserted nor there before`)
  return { kind: 'repeated', id: earlier.id, submittedAt: earlier.submittedAt }
}

function deliveriesOf(pending: PendingSubmission | undefined, submissionId: number, siteUrl: string) {
  if (!pending || pending.submission.status === 'spam') return []
  const { submission, form, webhooks } = pending
  const { answers, submittedAt } = submission
  const meta = submissionMeta({ ...submission, id: submissionId, form }, { siteUrl })
  return planDeliveries(webhooks, { answers, meta }, { now: new Date(submittedAt) })
}

function keyOf({ formId, clientId }: { formId: number; clientId: string }): string {
  return `${formId}/${clientId}`
}
