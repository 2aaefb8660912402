import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { createMailSender, type SendMail } from '#src/notifications/send-mail.ts'
import { atEnd } from '#tests/support/at-end.ts'

const MAIL = {
  ...{ recipient: 'ann@example.com', subject: 'Hello', text: 'Hi', replyTo: 'office@example.com' },
  ...{ messageId: 'reply-1.1@www.example.com', language: 'en' },
}

type Answers = Partial<Record<'greeting' | 'EHLO' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'end', string>>

const ACCEPTED: Answers = { DATA: '354 go on', end: '250 queued' }

/** A mail server that gives these answers, and otherwise accepts everything. An empty answer ends the connection. */
async function aServer(t: TestContext, answers: Answers = {}) {
  const lines: string[] = []
  const server = createServer((socket) => {
    let isText = false
    const answerTo = (line: string) => {
      if (isText && line !== '.') return undefined
      const command = isText ? 'end' : (line.slice(0, 4) as keyof Answers)
      isText = command === 'DATA'
      return answers[command] ?? ACCEPTED[command] ?? '250 ok'
    }
    const reply = (answer: string) => (answer === '' ? socket.destroy() : socket.write(`${answer}\r\n`))
    socket.on('error', () => {})
    reply(answers.greeting ?? '220 ready')
    socket.on('data', (chunk) => {
      for (const line of String(chunk).split('\r\n').slice(0, -1)) {
        lines.push(line)
        const answer = answerTo(line)
        if (answer !== undefined) reply(answer)
      }
    })
  }).listen(0, '127.0.0.1')
  atEnd(t, () => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const send = (signIn = '', mail: Parameters<SendMail>[0] = MAIL) => {
    const smtpUrl = `smtp://${signIn}127.0.0.1:${port}`
    return createMailSender({ smtpUrl, from: 'Shannon <forms@example.com>' })(mail)
  }
  return { lines, port, send }
}

const REFUSALS: readonly [what: string, answers: Answers, isFinal: boolean][] = [
  ['the recipient for now', { RCPT: '450 4.2.1 later' }, false],
  ['the recipient for now, with the last such code', { RCPT: '499 later' }, false],
  ['the recipient for good', { RCPT: '550 5.1.1 unknown' }, true],
  ['the recipient for good, with the first such code', { RCPT: '500 unknown' }, true],
  ['the sender for good', { MAIL: '553 not you' }, true],
  ['the content for now', { end: '451 later' }, false],
  ['the content for good', { end: '554 spam' }, true],
  ['the content for good, with the first such code', { end: '500 spam' }, true],
  ['every connection', { greeting: '554 no service' }, false],
  ['the sign-in', { EHLO: '250-hi\r\n250 AUTH PLAIN', AUTH: '535 wrong password' }, false],
]

for (const [what, answers, isFinal] of REFUSALS) {
  test(`a server that refuses ${what} doesn’t have the email`, async (t) => {
    const { send } = await aServer(t, answers)
    const outcome = await send(answers.AUTH ? 'jo:secret@' : '')
    assert.ok(outcome.kind === 'failed')
    const said = Object.values(answers).at(-1) ?? ''
    assert.ok(outcome.message.includes(said), outcome.message)
    assert.deepEqual([outcome.isFinal, outcome.isUncertain], [isFinal, false])
  })
}

test('a server that says nothing after the email may have it', async (t) => {
  const { send } = await aServer(t, { end: '' })
  const outcome = await send()
  assert.ok(outcome.kind === 'failed')
  assert.deepEqual([outcome.isFinal, outcome.isUncertain], [false, true])
})

test('a server that can’t be reached or found doesn’t have the email', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  for (const smtpUrl of [`smtp://127.0.0.1:${port}`, 'smtp://unknown.invalid', `smtp://[::1]:${port}`]) {
    const outcome = await createMailSender({ smtpUrl, from: 'forms@example.com' })(MAIL)
    assert.ok(outcome.kind === 'failed')
    assert.deepEqual([outcome.isFinal, outcome.isUncertain], [false, false], outcome.message)
    if (smtpUrl.includes('::1')) assert.match(outcome.message, /connect \w+ ::1:/)
  }
})

test('smtps is encrypted from the first byte, and the certificate is checked', async (t) => {
  const server = new SMTPServer({ secure: true, authOptional: true, logger: false })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  atEnd(t, () => new Promise((resolve) => server.close(() => resolve(undefined))))
  await once(server.server, 'listening')
  const smtpUrl = `smtps://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const outcome = await createMailSender({ smtpUrl, from: 'forms@example.com' })(MAIL)
  assert.ok(outcome.kind === 'failed')
  assert.match(outcome.message, /certificate/)
  assert.deepEqual([outcome.isFinal, outcome.isUncertain], [false, false])
})

for (const [when, answers] of [
  ['before its greeting', { greeting: '' }],
  ['after its greeting', { EHLO: '' }],
  ['during the sign-in', { EHLO: '250-hi\r\n250 AUTH PLAIN', AUTH: '' }],
] as const)
  test(`a server that ends the connection ${when} doesn’t have the email`, async (t) => {
    const { send } = await aServer(t, answers)
    const outcome = await send('jo:secret@')
    assert.ok(outcome.kind === 'failed')
    assert.deepEqual([outcome.isFinal, outcome.isUncertain], [false, false], outcome.message)
  })

test('a server that is too slow has the email only if it was sent', async (t) => {
  for (const [answers, isUncertain, timeoutMs] of [
    [{ greeting: '220-wait' }, false, 400],
    [{ end: '250-wait' }, true, 2_000],
  ] as const) {
    const { port } = await aServer(t, answers)
    const options = { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'forms@example.com', timeoutMs }
    const outcome = await createMailSender(options)(MAIL)
    assert.ok(outcome.kind === 'failed')
    assert.deepEqual([outcome.isFinal, outcome.isUncertain], [false, isUncertain], outcome.message)
  }
})

test('an email names its recipient and reply address without a name, and signs in with a decoded password', async (t) => {
  const { lines, send } = await aServer(t, { EHLO: '250-hi\r\n250 AUTH PLAIN', AUTH: '235 ok' })
  assert.deepEqual(await send('jo%40x:p%3Ass@'), { kind: 'sent', response: '250 queued' })
  for (const line of [
    `AUTH PLAIN ${Buffer.from('\0jo@x\0p:ss').toString('base64')}`,
    'From: Shannon <forms@example.com>',
    'To: ann@example.com',
    'Reply-To: office@example.com',
    'Message-ID: <reply-1.1@www.example.com>',
    'Auto-Submitted: auto-generated',
    'Content-Language: en',
  ])
    assert.ok(lines.includes(line), `${line} in ${lines.join('\n')}`)
  assert.ok(!lines.some((line) => line.startsWith('X-Auto-Response-Suppress')))
})

test('a reply to a visitor says that it is automatic, and asks for no automatic answer', async (t) => {
  const { lines, send } = await aServer(t)
  await send('', { ...MAIL, isReply: true, replyTo: undefined })
  for (const line of ['Auto-Submitted: auto-replied', 'X-Auto-Response-Suppress: All'])
    assert.ok(lines.includes(line), line)
  assert.ok(!lines.some((line) => /^(AUTH|Reply-To)/.test(line)))
})
