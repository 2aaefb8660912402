import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { atEnd } from './at-end.ts'

interface ReceivedMail {
  from: string
  recipients: string[]
  /** As received, headers and body. */
  raw: string
}

interface Refusal {
  code: number
  /** The server's words. Default: the code. */
  text?: string
  /** The command to refuse. Default: `data`. */
  at?: 'recipient' | 'data'
}

export interface MailServer {
  /** `smtp://127.0.0.1:PORT` */
  url: string
  port: number
  received: ReceivedMail[]
  /** Number of attempted emails, including refused ones. */
  attempts(): number
  close(): Promise<void>
}

/** A real SMTP server on 127.0.0.1. It gives these answers in turn, then accepts everything. */
export async function startMailServer(
  t: TestContext,
  { refusals = [], port = 0 }: { refusals?: Refusal[]; port?: number } = {},
): Promise<MailServer> {
  const received: ReceivedMail[] = []
  let attempts = 0
  const refusalAt = (place: Refusal['at']) => {
    const refusal = refusals[attempts - 1]
    return refusal && (refusal.at ?? 'data') === place ? errorOf(refusal) : undefined
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo(_address, _session, done) {
      attempts += 1
      done(refusalAt('recipient'))
    },
    async onData(stream, session, done) {
      // A sender killed halfway has sent nothing.
      const mail = await readMail(stream, session).catch(() => undefined)
      if (!mail) return done(errorOf({ code: 451 }))
      const refusal = refusalAt('data')
      if (!refusal) received.push(mail)
      done(refusal)
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= new Promise((resolve) => server.close(resolve))
    return closed
  }
  atEnd(t, close)
  const at = (server.server.address() as AddressInfo).port
  return { url: `smtp://127.0.0.1:${at}`, port: at, received, attempts: () => attempts, close }
}

function errorOf({ code, text = `refused with ${code}` }: Refusal) {
  return Object.assign(new Error(text), { responseCode: code })
}

async function readMail(
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
): Promise<ReceivedMail> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return {
    from: envelope.mailFrom ? envelope.mailFrom.address : '',
    recipients: envelope.rcptTo.map(({ address }) => address),
    raw: Buffer.concat(chunks).toString('utf8'),
  }
}
