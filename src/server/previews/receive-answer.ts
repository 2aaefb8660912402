import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { appendAuditEntry } from '../../auth/audit/audit-chain.ts'
import { previewActivity } from '../../messages/admin/history/previews.ts'
import { previewPageTexts as texts } from '../../messages/visitor/previews.ts'
import { answerPreview } from '../../publish/previews/answer-store.ts'
import type { Preview } from '../../publish/previews/preview-store.ts'
import { readFormBody } from '../../submissions/intake/read-form-body.ts'
import { createClientAddress } from '../http/client-address.ts'
import { readRequestBody } from '../http/request-body.ts'

const MOST_BYTES = 16 * 1_024

const posted = z.object({
  name: z.string().trim().min(1).max(80),
  note: z.string().trim().max(500).default(''),
  answer: z.enum(['approved', 'changes']).default('approved'),
  /** Hash of the pages that were shown beside the form. */
  pages: z.string().optional(),
})

type Posted = z.output<typeof posted>
type Receiving = Pick<App, 'db' | 'config' | 'answerMails' | 'log'>

type Received = { kind: 'received'; answer: Posted['answer'] } | { kind: 'problem'; text: string }

/** Stores the response of someone with a preview link; returns its fault, if any. */
export async function receiveAnswer(
  app: Receiving,
  request: IncomingMessage,
  { id, pagesSha256 }: Pick<Preview, 'id' | 'pagesSha256'>,
): Promise<Received | 'aborted'> {
  const received = await readRequestBody(request, MOST_BYTES)
  if (received.kind === 'aborted') return 'aborted'
  const read = received.kind === 'bytes' && readFormBody(received.bytes, request.headers['content-type'])
  const { data } = posted.safeParse(read && read.kind === 'body' ? read.body : undefined)
  if (!data) return { kind: 'problem', text: texts.nameMissing }
  if (data.answer === 'changes' && data.note === '') return { kind: 'problem', text: texts.noteMissing }
  const { answer: kind, name, note, pages } = data
  if (pages !== undefined && pages !== pagesSha256) return { kind: 'problem', text: texts.pagesChanged }
  const isMailed = app.answerMails !== undefined
  if (
    await answerPreview(app.db, id, { kind, name, note, isMailed, pagesHash: pagesSha256, now: new Date() })
  ) {
    app.answerMails?.wake()
    await record(app, id, { ...data, address: createClientAddress(app.config.trustedProxies)(request) })
  }
  return { kind: 'received', answer: kind }
}

async function record(
  { db, log }: Receiving,
  id: number,
  { answer, name, address }: Posted & { address: string },
) {
  const change =
    answer === 'approved'
      ? { action: 'preview.approved', summary: previewActivity.approved(id, name) }
      : { action: 'preview.changes_requested', summary: previewActivity.changesAsked(id, name) }
  const by = { userId: null, userEmail: previewActivity.visitor, address }
  const entry = { ...change, ...by, subjectType: 'preview', subjectId: id }
  const auditHash = await appendAuditEntry(db, entry, { now: new Date() })
  log.info({ action: change.action, auditHash }, 'audit entry')
}
