import type { Kysely } from 'kysely'
import { findLocale } from '../../db/locale-store.ts'
import type { Db, Schema } from '../../db/schema.ts'
import { toChoices } from '../../templates/choice-labels.ts'
import { renderBody } from '../body/render-body.ts'
import { sampleAnswers } from '../body/sample-answers.ts'
import type { Origins } from '../body/submission-meta.ts'
import { findFormOrigin, findSubject, listFieldTypes } from '../body/submission-subject-store.ts'
import type { Webhook } from '../definition/webhook.ts'
import { findWebhook } from '../definition/webhook-store.ts'
import { insertBodies } from '../deliveries/delivery-body-store.ts'
import { insertRequestedDelivery } from '../deliveries/delivery-store.ts'

interface TestOptions extends Origins {
  /** A stored submission of the webhook's form; otherwise sample answers are used. */
  submissionId?: number | undefined
  now: Date
}

export type TestOutcome =
  | { kind: 'queued'; deliveryId: number }
  | { kind: 'webhook_not_found' | 'submission_not_found' | 'paused' }

/**
 * Queues a test of a webhook: an ordinary delivery with `meta.is_test`. It is claimed, signed, sent, and recorded like
 * any other, but has one attempt, ignores conditions, and is sent even if the webhook is off. Wake the dispatcher
 * afterward.
 */
export function sendTestDelivery(
  db: Kysely<Schema>,
  webhookId: number,
  { submissionId, now, ...origins }: TestOptions,
): Promise<TestOutcome> {
  return db.transaction().execute(async (trx) => {
    const webhook = await findWebhook(trx, webhookId)
    if (!webhook) return { kind: 'webhook_not_found' }
    if (webhook.pausedAt !== null) return { kind: 'paused' }
    if (submissionId === undefined) return queueSample(trx, webhook, { ...origins, now })
    const subject = await findSubject(trx, submissionId)
    if (subject?.submission.form.id !== webhook.formId) return { kind: 'submission_not_found' }
    const deliveryId = await insertTest(trx, webhook, { submissionId, now })
    return { kind: 'queued', deliveryId }
  })
}

// There is no submission to render from later, so the body is rendered now.
async function queueSample(db: Db, webhook: Webhook, { now, ...origins }: Omit<TestOptions, 'submissionId'>) {
  const form = await findFormOrigin(db, webhook.formId)
  if (!form) return { kind: 'webhook_not_found' } as const
  const fields = await listFieldTypes(db, webhook.formId)
  const samples = { answers: sampleAnswers(fields, await findLocale(db)), choices: toChoices(fields) }
  const deliveryId = await insertTest(db, webhook, { submissionId: null, now })
  const subject = { webhook, submission: sampleSubmission(form, now), ...samples }
  const body = renderBody(subject, { ...origins, deliveryId, isTest: true })
  if (body !== null) await insertBodies(db, [{ deliveryId, body }])
  return { kind: 'queued', deliveryId } as const
}

function insertTest(
  db: Db,
  webhook: Webhook,
  { submissionId, now }: { submissionId: number | null; now: Date },
): Promise<number> {
  const about = { submissionId, formId: webhook.formId, webhookId: webhook.id }
  return insertRequestedDelivery(db, { ...about, isTest: true, replayOf: null, body: null }, { now })
}

function sampleSubmission(form: { id: number; slug: string; name: string }, now: Date) {
  const nowhere = {
    serviceSlug: null,
    serviceName: null,
    locationSlug: null,
    locationName: null,
    locationPath: null,
  }
  return { id: 0, submittedAt: now.toISOString(), pagePath: null, ...nowhere, form }
}
