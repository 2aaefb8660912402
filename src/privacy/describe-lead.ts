import { EVERY_LEAD } from '../db/lead-scope/lead-scope.ts'
import type { Db } from '../db/schema.ts'
import { listMails } from '../notifications/mail-log-store.ts'
import { showSubmission } from '../submissions/inbox/show-submission.ts'
import type { Submission } from '../submissions/submission.ts'
import { findDelivery } from '../webhooks/deliveries/delivery-log-store.ts'
import { listDeliveriesOf } from '../webhooks/deliveries/delivery-story-store.ts'

const MOST_DELIVERIES = 1_000

/** A lead's file, and its path in the export. */
export interface ExportedFile {
  uploadId: number
  path: string
}

/** Lists a lead's files. Their paths contain only letters, digits, and dots from the visitor's names. */
export function listFiles({ answers }: Pick<Submission, 'answers'>): ExportedFile[] {
  return Object.values(answers).flatMap((answer) => {
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return []
    const { upload_id: uploadId, name } = answer
    return uploadId === undefined ? [] : [{ uploadId, path: `files/${uploadId}-${plainName(name)}` }]
  })
}

function plainName(name: string): string {
  return name.replace(/[^\p{L}\p{N}.]+/gu, '-').replace(/^[.-]+/, '') || 'file'
}

/** Returns everything stored about a lead, for its person; undefined if it was deleted. */
export async function describeLead(db: Db, id: number): Promise<object | undefined> {
  const shown = await showSubmission(db, id, { scope: EVERY_LEAD, marksRead: false })
  if (!shown) return undefined
  const { submission, form, answers, notes } = shown
  const { mails, reply } = await listMails(db, id, EVERY_LEAD)
  return {
    ...{ id, submittedAt: submission.submittedAt, form: form?.name ?? null },
    ...{ page: submission.pagePath, service: submission.serviceName, place: submission.locationName },
    ...{ status: submission.status, stage: submission.stage },
    answers: answers.map(({ name, label, text }) => ({ name, label, text })),
    consents: submission.consents,
    ...{ source: submission.sourceName, visit: submission.source },
    notes: notes.map(({ author, body, createdAt }) => ({ author, body, createdAt })),
    emails: mails.map(({ recipient, status, finishedAt }) => ({ to: recipient, status, finishedAt })),
    reply: reply ? { to: reply.recipient, status: reply.status, finishedAt: reply.finishedAt } : null,
    deliveries: await describeDeliveries(db, id),
    files: listFiles(submission).map(({ path }) => path),
  }
}

async function describeDeliveries(db: Db, submissionId: number): Promise<object[]> {
  const lead = { id: submissionId, formId: null }
  const { deliveries } = await listDeliveriesOf(db, lead, { scope: EVERY_LEAD, limit: MOST_DELIVERIES })
  const described: object[] = []
  for (const { id, webhookName, status, createdAt, attempts } of deliveries) {
    const found = await findDelivery(db, id, EVERY_LEAD)
    described.push({
      ...{ webhook: webhookName, status, createdAt, body: found?.body ?? null },
      attempts: attempts.map(({ startedAt, status: answered, responseBody }) => ({
        ...{ startedAt, status: answered, answer: responseBody },
      })),
    })
  }
  return described
}
