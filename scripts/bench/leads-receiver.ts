import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

// An SMTP server and a webhook receiver in a separate process. Each tells the parent which lead arrived and when, by
// a clock that all processes share.
const mails = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  logger: false,
  onData: (stream, _session, done) => void text(stream).then((raw) => done(report('mail', raw))),
})
mails.on('error', () => {})
mails.listen(0, '127.0.0.1')
const hooks = createServer(async (request, response) => {
  report('webhook', await text(request))
  response.writeHead(200).end()
}).listen(0, '127.0.0.1')
await Promise.all([once(mails.server, 'listening'), once(hooks, 'listening')])
const [smtp, http] = [mails.server.address(), hooks.address()] as AddressInfo[]
process.send?.({ smtp: `smtp://127.0.0.1:${smtp?.port}`, http: `http://127.0.0.1:${http?.port}` })
process.on('disconnect', () => process.exit())

function report(kind: 'mail' | 'webhook', body: string): undefined {
  const [, lead] = /lead-(\d+)@/.exec(body) ?? []
  process.send?.({ kind, lead: Number(lead), at: process.hrtime.bigint().toString() })
}
