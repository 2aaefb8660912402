import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { App } from '../../app.ts'
import { requestTexts } from '../../messages/server/requests.ts'
import { indexNowFile } from '../../publish/outlets/index-now-file.ts'
import type { Release } from '../../publish/release/release.ts'
import type { AnswerAdmin } from '../../publish/render/bundle.ts'
import { SECURITY_TEXT_PATH, securityText } from '../../site/well-known/security-text.ts'
import { createAdminAccess } from '../admin/admin-access.ts'
import { createAdminEndpoint, isAdminPath } from '../admin/admin-endpoint.ts'
import { createWayToSite } from '../admin/admin-host.ts'
import { createCspReports, isCspReport } from '../csp-reports/csp-reports.ts'
import { themeAssets } from '../development/theme-assets.ts'
import { type AstroHandler, createFormsSender } from '../forms/answer-forms.ts'
import type { PageRenderer } from '../forms/form-answers.ts'
import { createFormsEndpoint } from '../forms/forms-endpoint.ts'
import { createBrokenRequestEnd, type UploadLimits } from '../forms/upload-deadline.ts'
import { createPreviewEndpoint, isPreview } from '../previews/preview-endpoint.ts'
import { createVisitEndpoint, isVisitReport } from '../visits/visit-endpoint.ts'
import { type Answer, sendAnswer, textAnswer } from './answer.ts'
import { createCors, isFormsPath } from './cors.ts'
import { createFailureAnswer } from './failed-request.ts'
import { createRequestCheck, type Refusal, type RequestCheck } from './request-check.ts'
import { serverHeaders } from './security-headers.ts'
import { createStaticSite } from './static-site.ts'
import { endIdleSockets, watchAnswers } from './stop-server.ts'

// Slow clients: the headers within 5 s, the whole request within 7 s. Node checks every half second, and with a
// thousand slow clients some are disconnected a little later.
const HEADERS_TIMEOUT_MS = 4_500
const REQUEST_TIMEOUT_MS = 6_000
const TIMEOUT_CHECK_MS = 500
const MAX_HEADER_BYTES = 16 * 1024
// A client that neither sends nor reads is disconnected, and no client may accumulate unread responses. One that waits
// for its answer stays.
const IDLE_SOCKET_MS = 15_000
const MAX_CONNECTIONS = 5_000
const MAX_REQUESTS_PER_CONNECTION = 1_000

const WRONG = { code: 'request_refused' } as const
const NO_POST = { ...WRONG, status: 405, reason: requestTexts.noPosts, allow: 'GET, HEAD' }
const NO_EXPECTATION = { ...WRONG, status: 417, reason: requestTexts.expectation }

/**
 * The `backlog` to listen with: beyond Node's default of 511 simultaneous connections, clients would retry a second
 * later.
 */
export const BACKLOG = 4_096

export interface FrontOptions {
  /** Assets of the templates' bundle. */
  clientDir: string
  renderer: PageRenderer
  /** The pages of the admin; without them there is none. */
  answerAdmin?: AnswerAdmin
  /** Folder made by `astro build`, served in place of the current release. */
  builtSite?: Release
  /** Astro's handler, which takes form posts through src/pages/api. */
  astroHandler?: AstroHandler
  requestTimeoutMs?: number
  uploadLimits?: UploadLimits
}

/**
 * Creates the HTTP server in front of everything: checks, health, forms, then files of the current release. It does not
 * listen yet.
 */
export function createFront(
  app: App,
  { clientDir, renderer, answerAdmin, requestTimeoutMs = REQUEST_TIMEOUT_MS, ...options }: FrontOptions,
): Server {
  const site = createStaticSite({
    dataDir: app.config.dataDir,
    log: app.log,
    clientDir,
    release: options.builtSite,
    makeAsset: themeAssets(app.promptDb),
    ...{ onPage: app.visits.countView, settle: app.publishing.settle },
  })
  const forms = createFormsEndpoint(app, renderer, options.uploadLimits)
  const fail = createFailureAnswer(app.log, site)
  const answerForm = createFormsSender(forms, { fail, astroHandler: options.astroHandler })
  const admin = answerAdmin && createAdminEndpoint(app, answerAdmin)
  const takeCspReport = createCspReports(app)
  const mayReachAdmin = createAdminAccess(app)
  const leadToSite = createWayToSite(app.config)
  const allowOrigin = createCors(app.config.formOrigins)
  const takeVisit = createVisitEndpoint(app)
  const showPreview = createPreviewEndpoint(app, { clientDir })
  const checkRequest = createCheckOnceListening(app.config, () => server)

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const refusal = checkRequest(request)
    if (refusal) return turnAway(app, { request, response, refusal })
    if (allowOrigin(request, response) === 'answered') return
    if (isFormsPath(request.url)) return answerForm(request, response)
    if (admin && isAdminPath(request.url) && mayReachAdmin(request)) return admin(request, response)
    if (leadToSite(request, response)) return
    return answerVisitor(request, response)
  }

  function answerVisitor(request: IncomingMessage, response: ServerResponse) {
    if (request.url?.split('?')[0] === '/health') return sendHealth(app, response, site.currentReleaseId())
    if (isCspReport(request)) return takeCspReport(request, response)
    if (isVisitReport(request)) return takeVisit(request, response)
    if (isPreview(request)) return showPreview(request, response)
    if (request.method === 'POST') return turnAway(app, { request, response, refusal: NO_POST })
    if (sendMadeText(request, response, app.config)) return
    return site.serve(request, response)
  }

  const server = openServer({
    requestTimeoutMs,
    headers: serverHeaders(app.config),
    onRequest(request, response) {
      answer(request, response).catch((error) => sendFailure(response, fail(request, error)))
    },
  })
  return server
}

// The port is known while the server listens: PORT=0 takes any free one.
function createCheckOnceListening(config: App['config'], findServer: () => Server): RequestCheck {
  let check: RequestCheck | undefined
  const makeCheck = () => {
    const { siteUrl, adminUrl, host, formOrigins } = config
    const { port } = findServer().address() as AddressInfo
    return createRequestCheck({ siteUrl, adminUrl, host, port, formOrigins })
  }
  return (request) => {
    check ??= makeCheck()
    return check(request)
  }
}

async function sendFailure(response: ServerResponse, failure: Promise<Answer>) {
  const answer = await failure
  if (response.headersSent) response.destroy()
  else sendAnswer(response, answer)
}

interface ServerOptions {
  requestTimeoutMs: number
  /** Headers of every answer. */
  headers: [name: string, value: string][]
  onRequest: RequestListener
}

function openServer({ requestTimeoutMs, headers, onRequest }: ServerOptions): Server {
  const always = new Map(headers)
  const options = {
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node's own answer would have no headers; `checkRequest` refuses the request.
    requireHostHeader: false,
  }
  const server = createServer(options, (request, response) => onRequest(request, response.setHeaders(always)))
  server.on('checkExpectation', (request, response) =>
    refuse(request, response.setHeaders(always), NO_EXPECTATION),
  )
  server.on('clientError', createBrokenRequestEnd(headers))
  server.maxConnections = MAX_CONNECTIONS
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_CONNECTION
  watchAnswers(server)
  endIdleSockets(server, IDLE_SOCKET_MS)
  return server
}

function turnAway(
  { refusals }: App,
  { request, response, refusal }: { request: IncomingMessage; response: ServerResponse; refusal: Refusal },
) {
  refusals.note(refusal.code, request)
  refuse(request, response, refusal)
}

// The body of a refused request is not read, so the connection cannot be used again.
function refuse(request: IncomingMessage, response: ServerResponse, { status, reason, allow }: Refusal) {
  if (request.method === 'POST') response.setHeader('connection', 'close')
  // RFC 9110 §15.5.6
  if (allow !== undefined) response.setHeader('allow', allow)
  sendAnswer(response, textAnswer(status, reason))
}

// Responds with texts generated at each request, outside any release; returns true if the address is one.
function sendMadeText({ url }: IncomingMessage, response: ServerResponse, config: App['config']): boolean {
  const path = url?.split('?')[0]
  const text = path?.endsWith('.txt') ? madeTextAt(path, config) : undefined
  if (text !== undefined) sendAnswer(response, textAnswer(200, text))
  return text !== undefined
}

// The date in the first never expires while the server runs; the second proves to search engines who reports changes.
function madeTextAt(path: string, config: App['config']): string | undefined {
  const { securityContact: contact, siteUrl } = config
  if (contact !== undefined && path === SECURITY_TEXT_PATH)
    return securityText({ contact, siteUrl }, new Date()).trimEnd()
  const keyFile = indexNowFile(config)
  return path === keyFile?.path ? keyFile.key : undefined
}

async function sendHealth(app: App, response: ServerResponse, release: string | undefined) {
  const hasSite = release !== undefined && app.publishing.hasJoined()
  const isReady = hasSite && (await app.intakeHealth.isTakingPosts())
  const body = {
    status: isReady ? 'ok' : 'unavailable',
    release: release ?? null,
    schema: app.schemaRevision,
  }
  response.writeHead(isReady ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}
