import type { Kysely } from 'kysely'
import { EVERY_LEAD, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db, Schema } from '../../db/schema.ts'
import { getFormById } from '../../forms/form-store.ts'
import { listMails } from '../../notifications/mail-log-store.ts'
import { cancelPendingMails, hasMails, insertMails, reviveMails } from '../../notifications/mail-store.ts'
import { cancelPendingReply, reviveReply } from '../../notifications/replies/reply-store.ts'
import { findWebhook } from '../../webhooks/definition/webhook-store.ts'
import { cancelDeliveries } from '../../webhooks/deliveries/cancel-deliveries.ts'
import { deliverSubmission } from '../../webhooks/deliveries/deliver-submission.ts'
import {
  listCancelledAsSpam,
  listDeliveryStatuses,
  reviveDelivery,
  skipDelivery,
} from '../../webhooks/deliveries/spam-delivery-store.ts'
import { judgeToday } from '../../webhooks/replays/judge-today.ts'
import { planReplyOf } from '../intake/reply-content.ts'
import type { Submission } from '../submission.ts'
import { findSubmission } from '../submission-store.ts'
import { findRecipients } from './find-recipients.ts'
import { fieldsOfTheTime } from './label-answers.ts'
import { clearSpam, setSpam } from './spam-store.ts'

/**
 * Marks a submission as spam and cancels its pending deliveries and emails. Returns false if it already is spam or
 * doesn't exist.
 */
export function markSpam(
  db: Kysely<Schema>,
  submissionId: number,
  { scope, now }: { scope: LeadScope; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await setSpam(trx, submissionId, { reason: { code: 'by_hand' }, scope }))) return false
    await cancelDeliveries(trx, { submissionId, scope }, { reason: { code: 'spam' }, now })
    await cancelPendingMails(trx, submissionId, { reason: 'spam', now })
    await cancelPendingReply(trx, submissionId, { now })
    return true
  })
}

/** Effect of marking a submission as not spam: it sends what was held back, nothing again, or nothing at all. */
type NotSpam = 'sending' | 'sent_before' | 'nothing'

/**
 * Marks spam as new and sends what was held back: webhooks whose current conditions match, the form's notifications,
 * and its reply. Nothing is sent twice, however often the mark changes. Returns undefined if it isn't spam or doesn't
 * exist. Wake the dispatcher afterwards.
 */
export function markNotSpam(
  db: Kysely<Schema>,
  submissionId: number,
  { scope, siteUrl, sendsMail, now }: { scope: LeadScope; siteUrl: string; sendsMail: boolean; now: Date },
): Promise<NotSpam | undefined> {
  return db.transaction().execute(async (trx) => {
    if (!(await clearSpam(trx, submissionId, scope))) return undefined
    const submission = await findSubmission(trx, submissionId, scope)
    const delivery = await deliverSubmission(trx, submissionId, { siteUrl, now })
    if (delivery.kind === 'delivered_before') await goOnDelivering(trx, submissionId, { siteUrl, now })
    if (submission && sendsMail) await notify(trx, submission, { siteUrl, now })
    if (submission && sendsMail) await reply(trx, submission, { now })
    return whatIsSent(trx, submissionId)
  })
}

async function whatIsSent(db: Db, submissionId: number): Promise<NotSpam> {
  const { mails, reply } = await listMails(db, submissionId, EVERY_LEAD)
  const statuses = [...mails, ...(reply ? [reply] : [])].map(({ status }): string => status)
  statuses.push(...(await listDeliveryStatuses(db, submissionId)))
  if (statuses.includes('pending')) return 'sending'
  return statuses.includes('delivered') || statuses.includes('sent') ? 'sent_before' : 'nothing'
}

// The webhook's conditions may have changed. Tests ignore conditions.
async function goOnDelivering(
  db: Db,
  submissionId: number,
  { siteUrl, now }: { siteUrl: string; now: Date },
): Promise<void> {
  for (const { id, webhookId, isTest } of await listCancelledAsSpam(db, submissionId)) {
    const webhook = webhookId === null || isTest ? undefined : await findWebhook(db, webhookId)
    const verdict = webhook && (await judgeToday(db, webhook, submissionId, { siteUrl }))
    if (verdict?.fires === false) await skipDelivery(db, id, { reason: verdict.reason })
    else await reviveDelivery(db, id, { now })
  }
}

async function notify(
  db: Db,
  submission: Submission,
  { siteUrl, now }: { siteUrl: string; now: Date },
): Promise<void> {
  const { id, formId } = submission
  if (await hasMails(db, id)) return reviveMails(db, id, { reason: 'spam', now })
  if (formId === null) return
  const form = await getFormById(db, formId)
  const recipients = await findRecipients(db, submission, form, { siteUrl })
  const createdAt = now.toISOString()
  await insertMails(
    db,
    recipients.map((recipient) => ({ submissionId: id, formId, recipient, createdAt })),
  )
}

// A submission that had a reply before still has its row.
async function reply(db: Db, submission: Submission, { now }: { now: Date }): Promise<void> {
  await reviveReply(db, submission.id, { now })
  if (submission.formId === null) return
  const form = await getFormById(db, submission.formId)
  await planReplyOf(db, { ...form, fields: await fieldsOfTheTime(db, submission, form) }, submission, { now })
}
