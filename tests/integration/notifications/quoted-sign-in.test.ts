import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { readConfig } from '#src/config.ts'
import { checkMail } from '#src/doctor/check-network.ts'
import { hideSignIn } from '#src/notifications/hide-sign-in.ts'
import { createMailSender } from '#src/notifications/send-mail.ts'
import { atEnd } from '../../support/at-end.ts'
import { temporaryFolder } from '../../support/database.ts'
import { said } from '../../support/said.ts'

const USER = 'forms@example.com'
const PASSWORD = 'open sesame/42'
const encode = (text: string) => Buffer.from(text).toString('base64')

/** Starts a mail server that refuses every sign-in and quotes what it got. */
async function aQuotingServer(t: TestContext): Promise<string> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth(given, _session, done) {
      const [username, password] = [given.username ?? '', given.password ?? '']
      const command = `AUTH PLAIN ${encode(`\0${username}\0${password}`)}`
      const parts = [command, username, password, encode(username), encode(password)]
      done(new Error(`No account for ${parts.join(', ')} here`))
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  atEnd(t, () => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return `smtp://${encodeURIComponent(USER)}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`
}

function assertHidden(text: string) {
  assert.match(
    text,
    /No account for AUTH PLAIN \[hidden\]=*, \[hidden\], \[hidden\], \[hidden\]=*, \[hidden\]=* here/,
  )
}

test('an error that quotes the sign-in is kept without it', async (t) => {
  const smtpUrl = await aQuotingServer(t)
  const mail = { recipient: 'ann@example.com', subject: 'Hi', text: 'Hi', replyTo: undefined }
  const send = createMailSender({ smtpUrl, from: 'Signpost <forms@example.org>' })
  const outcome = await send({ ...mail, messageId: '1@example.com', language: 'en' })
  assert.equal(outcome.kind, 'failed')
  if (outcome.kind === 'failed') assertHidden(outcome.message)
})

test('doctor does not show a quoted sign-in', async (t) => {
  const environment = { SMTP_URL: await aQuotingServer(t), MAIL_FROM: 'forms@example.org' }
  const { state, says } = said(await checkMail(readConfig({ DATA_DIR: temporaryFolder(t), ...environment })))
  assert.equal(state, 'failed')
  assertHidden(says)
})

test('a short password is hidden as a word, and a server without sign-in has nothing to hide', () => {
  const hide = hideSignIn('smtp://an:x@127.0.0.1')
  assert.equal(hide('an, x: wanted extra'), '[hidden], [hidden]: wanted extra')
  assert.equal(hideSignIn('smtp://127.0.0.1')('undefined'), 'undefined')
})
