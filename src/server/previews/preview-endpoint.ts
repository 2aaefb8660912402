import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { appendAuditEntry } from '../../auth/audit/audit-chain.ts'
import { hashToken } from '../../auth/token.ts'
import { previewActivity } from '../../messages/admin/history/previews.ts'
import { previewPageTexts as texts } from '../../messages/visitor/previews.ts'
import { approvePreview, findOpenPreview, type Preview } from '../../publish/previews/preview-store.ts'
import { readFormBody } from '../../submissions/intake/read-form-body.ts'
import { pageAnswer, sendAnswer } from '../http/answer.ts'
import { createClientAddress } from '../http/client-address.ts'
import { readRequestBody } from '../http/request-body.ts'
import { comparePage, overviewPage, PREVIEW_POLICY, saidPage } from './preview-pages.ts'
import { findShown, keepLinks, type Side, shownPolicy } from './shown-file.ts'

/** Path of preview links. */
const PREVIEWS_PATH = '/api/previews/'

const ADDRESS = /^\/api\/previews\/([\w-]{43})(?:\/(old|new|compare))?(\/[^?]*)?(?:\?(.*))?$/
const MOST_BYTES = 16 * 1_024

const approval = z.object({
  name: z.string().trim().min(1).max(80),
  note: z.string().trim().max(500).default(''),
})

// Another site must not learn the token; without any referrer, browsers would not say where the approval comes from.
const HEADERS = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'same-origin',
}

/** Returns whether this is the address of a preview. */
export function isPreview({ url = '' }: IncomingMessage): boolean {
  return url.startsWith(PREVIEWS_PATH)
}

/** Shows the next site to people with a link, and takes their approval. */
export function createPreviewEndpoint(
  { db, config, publishing, log }: Pick<App, 'db' | 'config' | 'publishing' | 'log'>,
  { clientDir }: { clientDir: string },
) {
  const addressOf = createClientAddress(config.trustedProxies)
  const { dataDir, siteUrl } = config

  async function approve(request: IncomingMessage, response: ServerResponse, preview: Preview, base: string) {
    const received = await readRequestBody(request, MOST_BYTES)
    if (received.kind === 'aborted') return void response.destroy()
    const read = received.kind === 'bytes' && readFormBody(received.bytes, request.headers['content-type'])
    const { data } = approval.safeParse(read && read.kind === 'body' ? read.body : undefined)
    if (!data) return sendPage(response, 422, overviewPage(preview, base, texts.nameMissing))
    const now = new Date()
    if (await approvePreview(db, preview.id, { ...data, now })) {
      const summary = previewActivity.approved(preview.id, data.name)
      const about = { action: 'preview.approved', subjectType: 'preview', subjectId: preview.id, summary }
      const by = { userId: null, userEmail: previewActivity.visitor, address: addressOf(request) }
      const auditHash = await appendAuditEntry(db, { ...about, ...by }, { now })
      log.info({ action: about.action, auditHash }, 'audit entry')
    }
    response.writeHead(303, { ...HEADERS, location: base }).end()
  }

  async function show(
    response: ServerResponse,
    preview: Preview,
    { side, path, base }: { side: Side; path: string; base: string },
  ) {
    if (side === 'new') await publishing.bringPreview(preview.tokenSha256)
    const file = await findShown(preview, { side, path }, { dataDir, clientDir })
    if (!file) return sendPage(response, 404, saidPage(texts.notFound, texts.notFoundText))
    const body = file.isPage ? keepLinks(file.bytes.toString(), `${base}/${side}`) : file.bytes
    const policy = { 'content-security-policy': shownPolicy(file, siteUrl) }
    // The page's script does not tell of views that were counted, and these are none.
    const counted = file.isPage ? { 'server-timing': 'counted' } : {}
    const headers = { 'content-type': file.headers['content-type'], ...HEADERS, ...policy, ...counted }
    sendAnswer(response, { status: 200, headers, body })
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { token, view, path, query } = readAddress(request.url)
    const preview = await findOpenPreview(db, hashToken(token), { now: new Date() })
    if (!preview) return sendPage(response, 404, saidPage(texts.gone, texts.goneText))
    const base = PREVIEWS_PATH + token
    if (view === 'old' || view === 'new') return show(response, preview, { side: view, path, base })
    if (view === 'compare')
      return compare(response, preview, { page: new URLSearchParams(query).get('page') ?? '', base })
    if (path !== '/') return sendPage(response, 404, saidPage(texts.notFound, texts.notFoundText))
    if (request.method === 'POST') return approve(request, response, preview, base)
    sendPage(response, 200, overviewPage(preview, base))
  }
}

function readAddress(url = '') {
  const [, token = '', view, path = '/', query] = ADDRESS.exec(url) ?? []
  return { token, view, path, query }
}

function compare(
  response: ServerResponse,
  { changes }: Preview,
  { page, base }: { page: string; base: string },
) {
  const isListed = changes.some(({ path }) => path === page)
  if (!isListed) return sendPage(response, 404, saidPage(texts.notFound, texts.notFoundText))
  sendPage(response, 200, comparePage(page, base))
}

function sendPage(response: ServerResponse, status: number, html: string) {
  const answer = pageAnswer(status, html)
  const headers = { ...answer.headers, ...HEADERS, 'content-security-policy': PREVIEW_POLICY }
  sendAnswer(response, { ...answer, headers })
}
