import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Kysely } from 'kysely'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import type { Schema } from '#src/db/schema.ts'
import { findReplyLimit, limitKeyOf, planReply, REPLY_LIMITS } from '#src/notifications/replies/plan-reply.ts'
import { createReplyWorker } from '#src/notifications/replies/reply-worker.ts'
import { createMailSender } from '#src/notifications/send-mail.ts'
import { markNotSpam, markSpam } from '#src/submissions/inbox/mark-spam.ts'
import { describeReply } from '#src/submissions/intake/reply-content.ts'
import { atEnd } from '../../support/at-end.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aDesk, assertStored } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { aMailLook } from '../../support/mail-look.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { waitFor } from '../../support/running-site.ts'

const SITE = { siteUrl: 'https://www.example.com' }
const REPLY = {
  subject: 'Thank you, {{full_name}}',
  text: 'Hello {{full_name}}\n\nYou asked for {{size.label}} in {{meta.location_name | default: "your town"}}.',
  reply_to: 'office@example.com',
}

async function aReplyingForm(db: Kysely<Schema>, settings: object = { reply: REPLY }) {
  await storeForm(db, 'quote', {
    name: 'Quote',
    fields: [
      { name: 'full_name', label: 'Name', type: 'text' },
      { name: 'email', label: 'Email', type: 'email' },
      { name: 'size', label: 'Size', type: 'select', options: ['Large/l', 'Small/s'] },
    ],
    settings,
  })
  const desk = aDesk(db, { sendsMail: true })
  return (body: Record<string, unknown>) =>
    desk.accept('quote', { full_name: 'Ann', email: 'ann@example.com', size: 'l', ...body })
}

function startWorker(
  t: TestContext,
  db: Kysely<Schema>,
  smtpUrl: string,
  { timeoutMs, retryMs = 1 }: { timeoutMs?: number; retryMs?: number } = {},
) {
  const worker = createReplyWorker({
    db,
    send: createMailSender({ smtpUrl, from: 'Shannon <forms@example.com>', ...(timeoutMs && { timeoutMs }) }),
    describe: (reply) => describeReply(db, reply, { ...SITE, look: aMailLook() }),
    retryAt: (_attempt, now) => new Date(now.getTime() + retryMs),
    messageHost: 'www.example.com',
    logger: { info() {}, warn() {}, error() {} },
  })
  atEnd(t, () => worker.stop({ withinMs: 0 }))
  worker.start()
  return worker
}

const listReplies = (db: Kysely<Schema>) => db.selectFrom('reply_mails').selectAll().orderBy('id').execute()
const statesOf = async (db: Kysely<Schema>) =>
  (await listReplies(db)).map(({ status, outcome_code }) => outcome_code ?? status)
const settled = (db: Kysely<Schema>) =>
  waitFor(async () => (await listReplies(db)).every(({ finished_at }) => finished_at !== null))

test('contract §8: a visitor gets the form’s reply, marked as automatic and in the site’s look', async (t) => {
  const db = await openTestDatabase(t)
  const server = await startMailServer(t)
  const post = await aReplyingForm(db)
  await post({ _page: '/services/ac-repair/austin' })
  startWorker(t, db, server.url)
  await settled(db)
  const [mail] = server.received
  assert.deepEqual([server.received.length, mail?.recipients], [1, ['ann@example.com']])
  const raw = mail?.raw ?? ''
  assert.match(raw, /^Subject: Thank you, Ann\r$/m)
  assert.match(raw, /^Auto-Submitted: auto-replied\r$/m)
  assert.match(raw, /^Reply-To: office@example\.com\r$/m)
  assert.match(
    raw,
    /Hello Ann\r\n\r\nYou asked for Large in Austin\.\r\n\r\nShannon Plumbing & Heating\r\n12 Abbey Street\r\n/,
  )
  assert.match(raw.replaceAll(/=\r\n/g, ''), /background-color:#1c2766;color:#ffffff/i)
  assert.doesNotMatch(raw, /admin\/inbox/)
  const [reply] = await listReplies(db)
  assert.match(reply?.response ?? '', /^250 /)
})

test('tags in a page’s address put no link into a reply', async (t) => {
  const db = await openTestDatabase(t)
  const server = await startMailServer(t)
  const text = 'From {{meta.utm_campaign}}, {{meta.first_landing_page}}, on {{meta.page_path}}'
  const post = await aReplyingForm(db, { reply: { ...REPLY, text } })
  const touch = {
    utm_campaign: `spring ${'x'.repeat(300)}`,
    landing_page: 'Win at https://evil.example/x or mail eve@example.com',
  }
  await post({
    _page: '/services/ac-repair/austin',
    _source: JSON.stringify({ first: touch, last: { ...touch, utm_source: 'evil.example' } }),
  })
  startWorker(t, db, server.url)
  await settled(db)
  const raw = (server.received[0]?.raw ?? '').replaceAll(/=\r\n/g, '')
  assert.match(raw, /From spring x/)
  assert.match(raw, /on \/services\/ac-repair\/austin/)
  assert.doesNotMatch(raw, /evil\.example|https?:\/\/evil|eve@example|x{101}/)
})

test('a form replies only if set up, and only to an email answer', async (t) => {
  const db = await openTestDatabase(t)
  const post = await aReplyingForm(db, { notification_email: 'leads@example.com' })
  await post({})
  assert.deepEqual(await listReplies(db), [])
  const postAgain = await aReplyingForm(db)
  await postAgain({ email: '' })
  assert.deepEqual(await listReplies(db), [])
})

test('a repeated post, or a server without mail, adds no reply', async (t) => {
  const db = await openTestDatabase(t)
  const post = await aReplyingForm(db)
  const _id = '01890a5d-ac96-774b-bcce-b302099a8057'
  await Promise.all([post({ _id }), post({ _id }), post({ _id })])
  await post({ _id })
  assert.equal((await listReplies(db)).length, 1)
  await aDesk(db, { sendsMail: false }).accept('quote', { email: 'bob@example.com' })
  assert.equal((await listReplies(db)).length, 1)
})

test('only a plain address gets a reply', async (t) => {
  const db = await openTestDatabase(t)
  const post = await aReplyingForm(db, {})
  const { id: submissionId } = assertStored(await post({}))
  const { id: formId } = await db.selectFrom('forms').select('id').executeTakeFirstOrThrow()
  const plan = (recipient: string) => planReply(db, { submissionId, formId, recipient, now: new Date() })
  for (const recipient of ['ann@example.com, bob@example.com', 'Ann <ann@example.com>', 'ann'])
    await plan(recipient)
  assert.deepEqual(await listReplies(db), [])
  await plan('ann@example.com')
  assert.deepEqual(await statesOf(db), ['pending'])
})

test('spam gets no reply until it is marked as not spam, and then only one', async (t) => {
  const db = await openTestDatabase(t)
  const server = await startMailServer(t)
  const post = await aReplyingForm(db)
  const { id } = assertStored(await post({ _t: Date.now() }))
  assert.deepEqual(await listReplies(db), [])
  const worker = startWorker(t, db, server.url)
  const options = { ...SITE, sendsMail: true, now: new Date() }
  for (let round = 0; round < 3; round += 1) {
    assert.ok(await markNotSpam(db, id, { ...options, scope: EVERY_LEAD }))
    worker.wake()
    await settled(db)
    assert.ok(await markSpam(db, id, { ...options, scope: EVERY_LEAD }))
  }
  assert.equal(server.received.length, 1)
  assert.deepEqual(await statesOf(db), ['sent'])
})

test('a pending reply is canceled when its lead becomes spam, and resumed when it isn’t', async (t) => {
  const db = await openTestDatabase(t)
  const server = await startMailServer(t)
  const post = await aReplyingForm(db)
  const { id } = assertStored(await post({}))
  await markSpam(db, id, { scope: EVERY_LEAD, now: new Date() })
  assert.deepEqual(await statesOf(db), ['spam'])
  await markNotSpam(db, id, { scope: EVERY_LEAD, ...SITE, sendsMail: true, now: new Date() })
  assert.deepEqual(await statesOf(db), ['pending'])
  // Its status changed since the reply was planned, by whatever way.
  await db.updateTable('form_submissions').set({ status: 'spam' }).execute()
  startWorker(t, db, server.url)
  await settled(db)
  assert.deepEqual([await statesOf(db), server.received.length], [['spam'], 0])
})

test('replies per address and hour are limited, in any spelling, and the rest show why', async (t) => {
  const db = await openTestDatabase(t)
  const post = await aReplyingForm(db)
  const [hourly] = REPLY_LIMITS.address
  const spellings = ['ann@example.com', 'ANN@example.com', 'a.nn+1@example.com', 'ann+2@EXAMPLE.com']
  for (const email of spellings) await post({ email })
  const expected = spellings.map((_, index) => (index < hourly.most ? 'pending' : 'address_limit'))
  assert.deepEqual(await statesOf(db), expected)
  assert.equal(limitKeyOf('A.nn+x@Example.com'), limitKeyOf('ann@example.com'))
  assert.equal(limitKeyOf('a.nn@googlemail.com'), limitKeyOf('ann@gmail.com'))
  await post({ email: 'bob@example.com' })
  assert.equal((await statesOf(db)).at(-1), 'pending')
})

test('a site sends a limited number of replies in an hour', async (t) => {
  const db = await openTestDatabase(t)
  const post = await aReplyingForm(db)
  const [hourly] = REPLY_LIMITS.site
  await Promise.all(
    Array.from({ length: hourly.most + 2 }, (_, number) => post({ email: `v${number}@example.com` })),
  )
  const limited = (await statesOf(db)).filter((state) => state === 'site_limit')
  assert.equal(limited.length, 2)
})

// Each replies to a lead of its own, a minute apart, all before the last hour.
async function addEarlierReplies(db: Kysely<Schema>, recipients: readonly string[], now: Date) {
  const { id: form_id } = await storeForm(db, 'quote')
  const at = (index: number) => new Date(now.getTime() - (61 + index) * 60_000).toISOString()
  const leads = recipients.map((_, index) => ({ form_id, data_json: '{}', submitted_at: at(index) }))
  const ids = await db.insertInto('form_submissions').values(leads).returning('id').execute()
  const mails = recipients.map((recipient, index) => ({
    ...{ submission_id: ids[index]?.id ?? 0, form_id, recipient, limit_key: limitKeyOf(recipient) },
    ...{ status: 'sent' as const, created_at: at(index), finished_at: at(index) },
  }))
  await db.insertInto('reply_mails').values(mails).execute()
}

test('replies are limited per day too: to an address, and of the site', async (t) => {
  const now = new Date('2026-11-20T23:00:00.000Z')
  const daily = { address: REPLY_LIMITS.address[1].most, site: REPLY_LIMITS.site[1].most }
  assert.deepEqual(daily, { address: 4, site: 1_000 })
  const others = Array.from({ length: daily.site }, (_, number) => `v${number}@example.com`)
  const ann = Array.from({ length: daily.address }, () => 'ann@example.com')
  for (const [recipients, expected] of [
    [ann.slice(1), null],
    [ann, 'address_limit'],
    [others.slice(1), null],
    [others, 'site_limit'],
  ] as const) {
    const db = await openTestDatabase(t)
    // A thousand minutes are less than a day.
    await addEarlierReplies(db, recipients, now)
    assert.equal(await findReplyLimit(db, 'ann@example.com', { now }), expected, `${recipients.length}`)
  }
  const db = await openTestDatabase(t)
  await addEarlierReplies(db, ann, new Date(now.getTime() - 23 * 3_600_000))
  assert.equal(await findReplyLimit(db, 'ann@example.com', { now }), null, 'a day later')
})

test('visitor input can’t add a header, a link, or a long text to a reply', async (t) => {
  const db = await openTestDatabase(t)
  const server = await startMailServer(t)
  const post = await aReplyingForm(db)
  await post({
    full_name: `Buy\u2028Bcc: eve@example.com https://evil.example/x now at evil.example ${'x'.repeat(300)}`,
  })
  startWorker(t, db, server.url)
  await settled(db)
  const [mail] = server.received
  assert.deepEqual(mail?.recipients, ['ann@example.com'])
  const raw = (mail?.raw ?? '').replaceAll('=\r\n', '')
  assert.doesNotMatch(raw, /^Bcc:/im)
  assert.doesNotMatch(raw, /evil\.example|https?:\/\/evil|eve@example|x{101}/)
})

test('a deferred reply is resent; a rejected or unconfirmed one isn’t', async (t) => {
  const db = await openTestDatabase(t)
  const post = await aReplyingForm(db)
  const server = await startMailServer(t, { refusals: [{ code: 451 }, { code: 550, at: 'recipient' }] })
  await post({})
  const worker = startWorker(t, db, server.url)
  await settled(db)
  await worker.stop()
  const [reply] = await listReplies(db)
  assert.deepEqual([reply?.status, reply?.outcome_code, reply?.attempt_count], ['failed', 'refused', 2])
  assert.match(reply?.last_error ?? '', /550/)
  await post({ email: 'bob@example.com' })
  startWorker(t, db, await silentAfterMail(t), { timeoutMs: 300 })
  await settled(db)
  const [, second] = await listReplies(db)
  assert.deepEqual([second?.status, second?.outcome_code, second?.attempt_count], ['failed', 'uncertain', 1])
})

test('a reply is sent once its mail server is reachable again', async (t) => {
  const db = await openTestDatabase(t)
  const post = await aReplyingForm(db)
  await post({})
  const away = await startMailServer(t)
  await away.close()
  const worker = startWorker(t, db, away.url, { retryMs: 3_600_000 })
  await waitFor(async () => (await listReplies(db))[0]?.attempt_count)
  const back = await startMailServer(t, { port: away.port })
  await db.updateTable('reply_mails').set({ next_attempt_at: new Date().toISOString() }).execute()
  worker.wake()
  await settled(db)
  assert.deepEqual([back.received.length, await statesOf(db)], [1, ['sent']])
})

test('a reply in flight when the process died isn’t resent', async (t) => {
  const db = await openTestDatabase(t)
  const server = await startMailServer(t)
  const post = await aReplyingForm(db)
  await post({})
  const lease = { status: 'sending' as const, lease_expires_at: new Date(Date.now() + 60_000).toISOString() }
  await db.updateTable('reply_mails').set(lease).execute()
  startWorker(t, db, server.url)
  await settled(db)
  assert.deepEqual([await statesOf(db), server.attempts()], [['interrupted'], 0])
})

/** A mail server that takes a mail and never says so. */
async function silentAfterMail(t: TestContext): Promise<string> {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {})
    socket.write('220 ready\r\n')
    let isData = false
    socket.on('data', (chunk) => {
      if (isData) return
      isData = /^DATA/im.test(String(chunk))
      socket.write(isData ? '354 go on\r\n' : '250 ok\r\n')
    })
  }).listen(0, '127.0.0.1')
  atEnd(t, () => server.close())
  await once(server, 'listening')
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}
