import { attemptFailures } from '../../messages/admin/webhooks/destinations.ts'
/** Why an attempt failed; the kinds of the attempt log. */
export type FailureKind =
  | 'status'
  | 'timeout'
  | 'dns'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'blocked_address'
  | 'redirect'
  | 'too_large'

/** A failed connection, with the kind for the log. */
export class ConnectionFailure extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

// Messages of undici that we replace.
const MESSAGES: Record<string, string> = {
  'bad upgrade': attemptFailures.unexpectedUpgrade,
  'bad response': attemptFailures.earlyAnswer,
}

/** Returns the kind of a network error, with one sentence about it. */
export function describeFailure(error: unknown): { failureKind: FailureKind; message: string } {
  const said = error instanceof Error ? error.message : String(error)
  return { failureKind: kindOf(error), message: MESSAGES[said] ?? said }
}

/** The kind of an error while a connection is opened: by TCP, or by the TLS handshake that follows. */
export function connectFailureKind(error: Error): FailureKind {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code.includes('TIMEDOUT') || code.includes('TIMEOUT')) return 'timeout'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'reset'
  // The system's errors are one word, such as EHOSTUNREACH; TLS says ERR_TLS_… or CERT_HAS_EXPIRED, or EPROTO.
  return error instanceof AggregateError || (/^E[A-Z]+$/.test(code) && code !== 'EPROTO') ? 'refused' : 'tls'
}

function kindOf(error: unknown): FailureKind {
  if (error instanceof ConnectionFailure) return error.kind
  const { name, code = '' } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError' || code.includes('TIMEOUT')) return 'timeout'
  return code === 'UND_ERR_HEADERS_OVERFLOW' ? 'too_large' : 'reset'
}
