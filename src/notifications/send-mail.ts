import { leadMail } from '../messages/mail/leads.ts'
import type { ComposedMail } from './compose-mail.ts'
import { hideSignIn } from './hide-sign-in.ts'

const CONNECT_WITHIN_MS = 10_000
const IDLE_MS = 15_000
// A server that sends a byte now and then would hold the email forever. Less than the lease of a claim.
const WHOLE_MAIL_MS = 60_000
const KEPT_TEXT = 500
const PERMANENT = 500

interface Envelope extends Omit<ComposedMail, 'html'>, Partial<Pick<ComposedMail, 'html'>> {
  recipient: string
  /** Without angle brackets; the same for every attempt. */
  messageId: string
  /** True if the email replies to a visitor (RFC 3834). */
  isReply?: boolean
}

export type MailOutcome =
  | { kind: 'sent'; response: string }
  /** `isFinal`: the server refused this email or its recipient permanently, so a retry is pointless. */
  | {
      kind: 'failed'
      message: string
      isFinal: boolean
      /** True if the server may have accepted the email anyway. */
      isUncertain: boolean
    }

/** Properties that nodemailer adds to errors. */
interface SmtpError extends Error {
  code?: string
  responseCode?: number
}

export type SendMail = (envelope: Envelope) => Promise<MailOutcome>

/** Sends through that mail server, with one connection per email. Failures are returned, never thrown. */
export function createMailSender({
  smtpUrl,
  from,
  timeoutMs = WHOLE_MAIL_MS,
}: {
  smtpUrl: string
  from: string
  /** Total deadline of one email. */
  timeoutMs?: number
}): SendMail {
  const options = transportOptions(new URL(smtpUrl))
  const kept = keptText(smtpUrl)
  return async ({ recipient, messageId, replyTo, language, isReply, ...mail }) => {
    const signal = AbortSignal.timeout(timeoutMs)
    let isSignedIn = false
    try {
      // A site without mail doesn't load the mail library.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport(options)
      // Called when the connection is encrypted and signed in. Before that, the server can't have the email.
      transport.use('stream', ({ message }, next) => {
        message.processFunc((content) => {
          isSignedIn = true
          return content
        })
        next()
      })
      // As objects: in a text, a comma would separate two recipients.
      const { response } = await transport.sendMail({
        ...mail,
        from,
        to: { name: '', address: recipient },
        ...(replyTo && { replyTo: { name: '', address: replyTo } }),
        messageId: `<${messageId}>`,
        headers: {
          'Auto-Submitted': isReply ? 'auto-replied' : 'auto-generated',
          'Content-Language': language,
          ...(isReply && { 'X-Auto-Response-Suppress': 'All' }),
        },
        signal,
      })
      return { kind: 'sent', response: kept(response) }
    } catch (error) {
      if (signal.aborted) return tooSlow({ timeoutMs, isSignedIn })
      return failureOf(error as SmtpError, { kept, isSignedIn })
    }
  }
}

function transportOptions({ hostname, port, username, password, protocol }: URL) {
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : undefined,
    secure: protocol === 'smtps:',
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    socketTimeout: IDLE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

// Hidden before it is cut, which could leave half of a password.
function keptText(smtpUrl: string): (text: string) => string {
  const hide = hideSignIn(smtpUrl)
  return (text) => hide(text).slice(0, KEPT_TEXT)
}

function tooSlow({ timeoutMs, isSignedIn }: { timeoutMs: number; isSignedIn: boolean }): MailOutcome {
  const message = leadMail.tooSlow(timeoutMs / 1_000)
  return { kind: 'failed', message, isFinal: false, isUncertain: isSignedIn }
}

// A server that refuses us (wrong password, no TLS) may be fixed; one that refuses the email won't change its mind.
function failureOf(
  { message, code, responseCode = 0 }: SmtpError,
  { kept, isSignedIn }: { kept: (text: string) => string; isSignedIn: boolean },
): MailOutcome {
  const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return {
    kind: 'failed',
    message: kept(message),
    isFinal: isOfMail && responseCode >= PERMANENT,
    // A server that refused the email, or was sent no recipient, doesn't have it.
    isUncertain: isSignedIn && responseCode === 0 && code !== 'EENVELOPE',
  }
}
