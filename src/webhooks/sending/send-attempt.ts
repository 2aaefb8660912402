import type { IncomingHttpHeaders } from 'node:http'
import type { Agent, Dispatcher } from 'undici'
import { attemptFailures } from '../../messages/admin/webhooks/destinations.ts'
import type { WebhookMethod } from '../definition/webhook.ts'
import { describeFailure, type FailureKind } from './attempt-failure.ts'
import { MAX_ANSWER_BYTES } from './limit-answer.ts'

const KEPT_BYTES = 4 * 1024
const REDIRECTS = [301, 302, 303, 307, 308]

export interface AttemptRequest {
  url: string
  method: WebhookMethod
  headers: Record<string, string>
  /** Null for a request without a body. */
  body: Buffer | string | null
  /** True if 3xx is delivered too. */
  acceptsRedirect?: boolean
}

/** The result of one attempt. Failures are values: a receiver's mistakes are not our errors. */
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
 * Sends one request and reads at most 16 KiB of the answer. 2xx is delivered, however long the answer is. An answer
 * that breaks off, has no status within 16 KiB, or does not end before the deadline is a failure. Never follows a
 * redirect, even one that the webhook accepts, and never throws.
 */
export async function sendAttempt(
  agent: Agent,
  request: AttemptRequest,
  options: SendOptions,
): Promise<Attempt> {
  const startedAt = options.now()
  const start = performance.now()
  const answered = await exchange(agent, request, options.timeoutMs)
  const outcome = request.acceptsRedirect ? acceptRedirect(answered) : answered
  return { ...outcome, startedAt, durationMs: Math.round(performance.now() - start) }
}

type Outcome = Attempt extends infer One
  ? One extends Attempt
    ? Omit<One, 'startedAt' | 'durationMs'>
    : never
  : never

// Broken responses have their own kind of failure and keep it.
function acceptRedirect(outcome: Outcome): Outcome {
  const { kind, status, responseHeaders, responseBody } = outcome
  const isRedirect = status !== null && status >= 300 && status < 400
  if (kind === 'delivered' || !isRedirect || !['redirect', 'status'].includes(outcome.failureKind))
    return outcome
  return { kind: 'delivered', status, responseHeaders, responseBody }
}

function exchange(agent: Agent, request: AttemptRequest, timeoutMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const reader = new AnswerReader(resolve, timeoutMs)
    try {
      const { origin, pathname, search } = new URL(request.url)
      const { method, headers, body } = request
      agent.dispatch({ origin, path: pathname + search, method, headers, body }, reader)
    } catch (error) {
      reader.onResponseError(null, error)
    }
  })
}

// Uses undici's events instead of its streams, which take as long as the rest of a small exchange.
class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #resolve: (outcome: Outcome) => void
  readonly #deadline: NodeJS.Timeout
  readonly #received: Buffer[] = []
  #bytes = 0
  #head: AnswerHead | undefined
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false

  constructor(resolve: (outcome: Outcome) => void, timeoutMs: number) {
    this.#resolve = resolve
    const error = () => new DOMException(attemptFailures.answerTooSlow(timeoutMs), 'TimeoutError')
    this.#deadline = setTimeout(() => this.#breakOff(error()), timeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    this.#controller = controller
    // The deadline passed while the connection was opening: nothing is sent anymore.
    if (this.#isOver) controller.abort(new Error('the attempt is over'))
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders) {
    // 1xx only announces the answer.
    if (status >= 200) this.#head = { status, headers }
  }

  onResponseData(_controller: unknown, chunk: Buffer) {
    this.#received.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes >= MAX_ANSWER_BYTES) this.#breakOff()
  }

  onResponseEnd() {
    this.#finish()
  }

  onResponseError(_controller: unknown, error: unknown) {
    this.#finish(error)
  }

  /** Ends the attempt and closes its connection. */
  #breakOff(error?: Error) {
    this.#finish(error)
    this.#controller?.abort(error ?? new Error('enough was read'))
  }

  // The first end counts, because aborting makes undici report an error too.
  #finish(error?: unknown) {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#deadline)
    this.#resolve(outcomeOf(this.#head, this.#received, error))
  }
}

interface AnswerHead {
  status: number
  headers: IncomingHttpHeaders
}

function outcomeOf(head: AnswerHead | undefined, received: readonly Buffer[], error?: unknown): Outcome {
  const details = detailsOf(head, received)
  if (head && error === undefined) return { ...judgeStatus(head.status), ...details }
  const failure = describeFailure(error ?? new Error(attemptFailures.noStatus))
  if (head && failure.failureKind === 'too_large') return { ...judgeStatus(head.status), ...details }
  return { kind: 'failed', ...failure, status: head?.status ?? null, ...details }
}

function judgeStatus(status: number) {
  if (status >= 200 && status < 300) return { kind: 'delivered', status } as const
  const failureKind = REDIRECTS.includes(status) ? 'redirect' : 'status'
  return { kind: 'failed', failureKind, message: `HTTP ${status}`, status } as const
}

function detailsOf(head: AnswerHead | undefined, received: readonly Buffer[]) {
  if (!head) return { responseHeaders: null, responseBody: null }
  return { responseHeaders: keptHeaders(head.headers), responseBody: keptText(received) }
}

function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (name !== 'set-cookie' && value !== undefined) kept[name] = String(value)
  }
  return kept
}

// A character cut in two at the end is left out; PostgreSQL's text has no NUL.
function keptText(received: readonly Buffer[]): string {
  const [first] = received
  const bytes = first && received.length === 1 ? first : Buffer.concat(received)
  const text =
    bytes.length <= KEPT_BYTES
      ? bytes.toString('utf8')
      : new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES), { stream: true })
  return text.includes('\0') ? text.replaceAll('\0', '\u{fffd}') : text
}
