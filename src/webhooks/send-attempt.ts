import type { Agent, Dispatcher } from 'undici'
import { describeFailure, type FailureKind } from './attempt-failure.ts'
import type { WebhookMethod } from './webhook.ts'

const READ_BYTES = 16 * 1024
const KEPT_BYTES = 4 * 1024
const REDIRECTS = [301, 302, 303, 307, 308]

export interface AttemptRequest {
  url: string
  method: WebhookMethod
  headers: Record<string, string>
  /** Null for a request without a body. */
  body: string | null
}

/** What one attempt came to. Failures are values: a receiver's mistakes are no errors of ours. */
export type Attempt = AttemptDetails &
  (
    | { kind: 'delivered'; status: number }
    | { kind: 'failed'; failureKind: FailureKind; message: string; status: number | null }
  )

interface AttemptDetails {
  startedAt: Date
  durationMs: number
  /** Names in lower case, without cookies; null when no answer came. */
  responseHeaders: Record<string, string> | null
  /** The first 4 KiB of the answer; null when no answer came. */
  responseBody: string | null
}

interface SendOptions {
  /** Total deadline: name lookup, connection, request and answer. */
  timeoutMs: number
  now: () => Date
}

/**
 * Sends one request and reads at most 16 KiB of the answer. 2xx is delivered, however long the answer is; an answer
 * that breaks off or does not end before the deadline is a failure. Never follows a redirect, never throws.
 */
export async function sendAttempt(
  agent: Agent,
  request: AttemptRequest,
  options: SendOptions,
): Promise<Attempt> {
  const startedAt = options.now()
  const start = performance.now()
  const outcome = await exchange(agent, request, options.timeoutMs)
  return { ...outcome, startedAt, durationMs: Math.round(performance.now() - start) }
}

type Outcome = Attempt extends infer One
  ? One extends Attempt
    ? Omit<One, 'startedAt' | 'durationMs'>
    : never
  : never

async function exchange(agent: Agent, request: AttemptRequest, timeoutMs: number): Promise<Outcome> {
  const received: Buffer[] = []
  const deadline = startDeadline(timeoutMs)
  let response: Dispatcher.ResponseData | undefined
  try {
    response = await Promise.race([send(agent, request, deadline.signal), deadline.passed])
    await readStart(response.body, received)
  } catch (error) {
    const details = { status: response?.statusCode ?? null, ...detailsOf(response, received) }
    return { kind: 'failed', ...describeFailure(error), ...details }
  } finally {
    deadline.clear()
  }
  return { ...judgeStatus(response.statusCode), ...detailsOf(response, received) }
}

interface Deadline {
  signal: AbortSignal
  /** Rejects when the deadline passes. */
  passed: Promise<never>
  clear(): void
}

// Not AbortSignal.timeout alone: undici looks at the signal of a request only once its connection is there, so a name
// server or a handshake that hangs would hold the attempt.
function startDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController()
  const { promise: passed, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const reason = new DOMException(`no whole answer within ${timeoutMs} ms`, 'TimeoutError')
    controller.abort(reason)
    reject(reason)
  }, timeoutMs)
  // The deadline may pass while the body is read, when nobody looks at the promise any more.
  passed.catch(() => {})
  return { signal: controller.signal, passed, clear: () => clearTimeout(timer) }
}

async function send(agent: Agent, request: AttemptRequest, signal: AbortSignal) {
  const { origin, pathname, search } = new URL(request.url)
  const { method, headers, body } = request
  return agent.request({
    origin,
    path: pathname + search,
    method,
    headers,
    body,
    signal,
    highWaterMark: READ_BYTES,
  })
}

/** Leaving the loop early destroys the stream, and with it the connection. */
async function readStart(body: AsyncIterable<Buffer>, received: Buffer[]) {
  let bytes = 0
  for await (const chunk of body) {
    received.push(chunk)
    bytes += chunk.length
    if (bytes >= READ_BYTES) return
  }
}

function judgeStatus(status: number) {
  if (status >= 200 && status < 300) return { kind: 'delivered', status } as const
  const failureKind = REDIRECTS.includes(status) ? 'redirect' : 'status'
  return { kind: 'failed', failureKind, message: `HTTP ${status}`, status } as const
}

function detailsOf(response: Dispatcher.ResponseData | undefined, received: readonly Buffer[]) {
  if (!response) return { responseHeaders: null, responseBody: null }
  return { responseHeaders: keptHeaders(response.headers), responseBody: keptText(received) }
}

function keptHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const kept = Object.entries(headers).filter(([name, value]) => name !== 'set-cookie' && value !== undefined)
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}

// A character cut in two at the end is left out; PostgreSQL's text has no NUL.
function keptText(received: readonly Buffer[]): string {
  const bytes = Buffer.concat(received).subarray(0, KEPT_BYTES)
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\u{fffd}')
}
