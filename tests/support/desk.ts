import assert from 'node:assert/strict'
import type { Kysely } from 'kysely'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import type { Db, Schema } from '#src/db/schema.ts'
import { fixedRing } from '#src/lib/key-ring.ts'
import {
  createSubmissionDesk,
  type SubmissionDeskOptions,
} from '#src/submissions/intake/accept-submission.ts'
import type { FormPage } from '#src/submissions/intake/form-page.ts'
import { createProofOfWork } from '#src/submissions/limits/proof-of-work.ts'
import type { Submission, SubmissionOutcome } from '#src/submissions/submission.ts'
import { findSubmission } from '#src/submissions/submission-store.ts'

/** A page about a service in a place. */
const AUSTIN: FormPage = {
  serviceSlug: 'ac-repair',
  serviceName: 'AC repair',
  serviceId: 1,
  locationSlug: 'austin',
  locationName: 'Austin',
  locationPath: 'usa/texas/austin',
  locationId: 2,
}

/** Creates a desk that knows one page, `/services/ac-repair/austin`, and notifies nobody of accepted posts. */
export function aDesk(db: Kysely<Schema>, options: Partial<SubmissionDeskOptions> = {}) {
  return createSubmissionDesk({
    db,
    siteUrl: 'https://www.example.com',
    findPage: (path) => (path === '/services/ac-repair/austin' ? AUSTIN : undefined),
    onAccepted: () => {},
    proofOfWork: createProofOfWork({
      secretKeys: fixedRing(new Uint8Array(32).fill(7)),
      now: () => new Date(),
    }),
    ...options,
  })
}

/** Returns the outcome of a stored post; fails on any other. */
export function assertStored(outcome: SubmissionOutcome) {
  assert.ok(outcome.kind === 'accepted' || outcome.kind === 'repeated', JSON.stringify(outcome))
  return outcome
}

/** Returns the row of an outcome. */
export async function storedSubmission(db: Db, outcome: SubmissionOutcome): Promise<Submission> {
  const submission = await findSubmission(db, assertStored(outcome).id, EVERY_LEAD)
  assert.ok(submission)
  return submission
}

export async function countRows(db: Db, table: 'form_submissions' | 'webhook_deliveries'): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Adds a webhook to a form; returns its ID. Without a condition it always fires. */
export async function storeWebhook(
  db: Db,
  formId: number,
  {
    url = 'https://hooks.example.com/',
    fireOn = null,
    isEnabled = true,
  }: { url?: string; fireOn?: unknown; isEnabled?: boolean } = {},
): Promise<number> {
  const { id } = await db
    .insertInto('form_webhooks')
    .values({
      form_id: formId,
      url,
      fire_on_json: fireOn === null ? null : JSON.stringify(fireOn),
      enabled: isEnabled ? 1 : 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
