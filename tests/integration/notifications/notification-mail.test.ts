import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import {
  claimDueMails,
  insertMails,
  releaseMails,
  returnMails,
  settleMail,
} from '#src/notifications/mail-store.ts'
import { createMailWorker, type MailWorkerOptions } from '#src/notifications/mail-worker.ts'
import { createMailSender, type MailOutcome } from '#src/notifications/send-mail.ts'
import { describeSubmission } from '#src/submissions/intake/notification-content.ts'
import { findTaxonomy, insertTerms } from '#src/taxonomies/taxonomy-store.ts'
import { atEnd } from '../../support/at-end.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aDesk } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { aMailLook } from '../../support/mail-look.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { freePort, waitFor } from '../../support/running-site.ts'

const SITE_URL = 'https://www.example.com'
const LEADS = 'leads@example.com'

function aWorker(
  t: TestContext,
  db: Kysely<Schema>,
  smtpUrl: string,
  options: Partial<MailWorkerOptions> = {},
) {
  const errors: object[] = []
  const worker = createMailWorker({
    db,
    send: createMailSender({ smtpUrl, from: 'Signpost <forms@example.com>' }),
    describe: (mail) => describeSubmission(db, mail, { siteUrl: SITE_URL, look: aMailLook() }),
    retryAt: (_attempt, now) => new Date(now.getTime() + 1),
    messageHost: 'www.example.com',
    logger: { info() {}, warn() {}, error: (details) => errors.push(details) },
    ...options,
  })
  atEnd(t, () => worker.stop({ withinMs: 0 }))
  return { worker, errors }
}

/** A form that notifies, and one submission of it. */
async function aNotified(db: Kysely<Schema>, body: Record<string, unknown> = {}) {
  await storeForm(db, 'quote', {
    name: 'Quote',
    fields: [
      { name: 'email', label: 'Your email', type: 'email' },
      { name: 'kind', label: 'Kind', type: 'select', options: ['Repair/repair', 'New/new'] },
      { name: 'note', label: 'Note', type: 'textarea' },
    ],
    settings: { notification_email: LEADS },
  })
  const _page = '/services/ac-repair/austin'
  return aDesk(db, { sendsMail: true }).accept('quote', {
    email: 'ada@example.com',
    kind: 'repair',
    _page,
    ...body,
  })
}

const listMails = (db: Kysely<Schema>) =>
  db.selectFrom('notification_mails').selectAll().orderBy('id').execute()
const listAttempts = (db: Kysely<Schema>) =>
  db.selectFrom('mail_attempts').selectAll().orderBy('id').execute()

async function settledMail(db: Kysely<Schema>) {
  await waitFor(async () => (await listMails(db)).every((mail) => mail.finished_at !== null))
  const [mail] = await listMails(db)
  assert.ok(mail)
  return mail
}

test('§2.1 notification_email gets an email with the answers whose Reply-To is the visitor', async (t) => {
  const db = await openTestDatabase(t)
  const server = await startMailServer(t)
  await aNotified(db, { note: 'First line\nSecond line' })
  const { worker, errors } = aWorker(t, db, server.url)
  worker.start()
  const mail = await settledMail(db)
  assert.deepEqual([mail.status, mail.attempt_count, mail.last_error], ['sent', 1, null])
  const [received] = server.received
  assert.deepEqual([received?.from, received?.recipients], ['forms@example.com', [LEADS]])
  const raw = received?.raw ?? ''
  assert.match(raw, /^Subject: Quote in Austin: ada@example\.com, Repair\r$/m)
  assert.match(raw, /^Reply-To: ada@example.com\r$/m)
  assert.match(raw, /^Auto-Submitted: auto-generated\r$/m)
  assert.match(raw, /^Message-ID: <notification-1\.\d+@www\.example\.com>\r$/m)
  assert.match(raw, /Your email: ada@example.com\r\nKind: Repair\r\n\r\nNote:\r\nFirst line\r\nSecond line/)
  assert.match(raw, /Page: https:\/\/www.example.com\/services\/ac-repair\/austin/)
  assert.match(raw, /Form: Quote\r\nPlace: Austin\r\n/)
  assert.match(raw, /^Content-Language: en\r$/m)
  assert.match(raw, /Open this lead:\r\nhttps:\/\/www\.example\.com\/admin\/inbox\/1\r\n/)
  const [attempt] = await listAttempts(db)
  assert.match(attempt?.response ?? '', /^250 /)
  assert.deepEqual(errors, [])
})

test('§2.1 an email is stored in its submission’s transaction; spam, or no mail server, stores none', async (t) => {
  const db = await openTestDatabase(t)
  await aNotified(db)
  await aNotified(db, { _t: Date.now() })
  await aDesk(db).accept('quote', {})
  const mails = await listMails(db)
  assert.deepEqual(
    mails.map(({ submission_id, recipient, status }) => [submission_id, recipient, status]),
    [[1, LEADS, 'pending']],
  )
})

test('a deferred email is resent with the same ID', async (t) => {
  const db = await openTestDatabase(t)
  const server = await startMailServer(t, { refusals: [{ code: 451 }, { code: 450, at: 'recipient' }] })
  await aNotified(db)
  aWorker(t, db, server.url).worker.start()
  const mail = await settledMail(db)
  assert.deepEqual([mail.status, mail.attempt_count], ['sent', 3])
  assert.equal(server.received.length, 1)
  const attempts = await listAttempts(db)
  assert.match(attempts[0]?.failure_message ?? '', /451/)
  assert.match(attempts[1]?.failure_message ?? '', /450/)
  assert.equal(attempts[2]?.failure_message, null)
})

test('a worker that lost its claim doesn’t change the email', async (t) => {
  const db = await openTestDatabase(t)
  await aNotified(db)
  await aNotified(db, { email: 'bob@example.com' })
  const start = Date.now()
  const claim = (milliseconds: number, limit: number) =>
    claimDueMails(db, { now: new Date(start + milliseconds), limit, leaseMs: 1_000 })
  const [lost] = await claim(1_000, 1)
  assert.equal(lost?.leaseExpiresAt, new Date(start + 2_000).toISOString())
  const [second, ...rest] = await claim(1_999, 2)
  assert.ok(lost && second && second.id !== lost.id && rest.length === 0)
  assert.deepEqual(await claim(1_999, 2), [])
  await returnMails(db, [second])
  await releaseMails(db, { dead: [{ ...lost, leaseExpiresAt: 'renewed since' }] })
  assert.deepEqual(
    (await claim(2_000, 2)).map(({ id }) => id),
    [second.id],
  )
  await releaseMails(db, { dead: [lost, second] })
  await db.updateTable('notification_mails').set({ status: 'pending' }).execute()
  const [kept, other] = await claim(2_000, 2)
  assert.ok(kept && other && kept.id === lost.id && other.id === second.id)
  const ended = { attemptCount: 1, nextAttemptAt: null, finishedAt: new Date(start) }
  const state = { ...ended, lastError: null, reason: null }
  const before = await listMails(db)
  assert.equal(await settleMail(db, lost, { ...state, status: 'failed' }), false)
  await returnMails(db, [lost])
  assert.deepEqual(await listMails(db), before)
  assert.equal(await settleMail(db, kept, { ...state, status: 'sent' }), true)
  assert.deepEqual(
    (await listMails(db)).map(({ status }) => status),
    ['sent', 'sending'],
  )
})

for (const at of ['recipient', 'data'] as const) {
  test(`a permanently rejected email (${at}) fails at once`, async (t) => {
    const db = await openTestDatabase(t)
    const server = await startMailServer(t, { refusals: [{ code: 550, at }] })
    await aNotified(db)
    aWorker(t, db, server.url).worker.start()
    const mail = await settledMail(db)
    assert.deepEqual([mail.status, mail.attempt_count, server.attempts()], ['failed', 1, 1])
    assert.equal(mail.outcome_code, 'refused')
    assert.match(mail.last_error ?? '', /550/)
  })
}

test('a mail server that responds endlessly is abandoned at the deadline', async (t) => {
  const db = await openTestDatabase(t)
  const closed = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    const dripping = setInterval(() => socket.write('220-wait\r\n'), 20)
    socket
      .on('error', () => {})
      .on('close', () => {
        clearInterval(dripping)
        closed.resolve()
      })
  }).listen(0, '127.0.0.1')
  atEnd(t, () => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await aNotified(db)
  const smtpUrl = `smtp://127.0.0.1:${port}`
  const send = createMailSender({ smtpUrl, from: 'forms@example.com', timeoutMs: 200 })
  aWorker(t, db, smtpUrl, {
    send,
    retryAt: (_attempt, now) => new Date(now.getTime() + 60_000),
  }).worker.start()
  await waitFor(async () => (await listAttempts(db)).length > 0)
  const [attempt] = await listAttempts(db)
  assert.equal(attempt?.failure_message, 'The mail server did not accept the email within 0.2 seconds')
  assert.ok(Number(attempt?.duration_ms) < 2_000)
  await closed.promise
})

test('an email fails after six retries', async (t) => {
  const db = await openTestDatabase(t)
  const server = await startMailServer(t, { refusals: Array(10).fill({ code: 451 }) })
  await aNotified(db)
  aWorker(t, db, server.url).worker.start()
  const mail = await settledMail(db)
  assert.deepEqual([mail.status, mail.attempt_count, server.attempts()], ['failed', 7, 7])
  assert.equal(mail.outcome_code, 'attempts_failed')
})

test('an email is sent once its mail server is reachable again', async (t) => {
  const db = await openTestDatabase(t)
  const port = await freePort()
  await aNotified(db)
  const retryAt = (_attempt: number, now: Date) => new Date(now.getTime() + 300)
  aWorker(t, db, `smtp://127.0.0.1:${port}`, { retryAt }).worker.start()
  await waitFor(async () => ((await listMails(db))[0]?.attempt_count ?? 0) > 0)
  const server = await startMailServer(t, { port })
  assert.equal((await settledMail(db)).status, 'sent')
  assert.equal(server.received.length, 1)
})

test('an email in flight when the process died is sent after the restart', async (t) => {
  const db = await openTestDatabase(t)
  const server = await startMailServer(t)
  await aNotified(db)
  const hanging = Promise.withResolvers<never>()
  const first = aWorker(t, db, server.url, { send: () => hanging.promise })
  first.worker.start()
  await waitFor(async () => (await listMails(db))[0]?.status === 'sending')
  await first.worker.stop({ withinMs: 1 })
  aWorker(t, db, server.url).worker.start()
  assert.equal((await settledMail(db)).status, 'sent')
  assert.equal(server.received.length, 1)
})

test('a stopping worker waits for the email in flight, up to its limit', async (t) => {
  for (const [withinMs, expected] of [
    [60_000, 'sent'],
    [1, 'sending'],
  ] as const) {
    const db = await openTestDatabase(t)
    await aNotified(db)
    const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<MailOutcome>()]
    const { worker } = aWorker(t, db, 'smtp://unused', {
      send() {
        begun.resolve()
        return answered.promise
      },
    })
    worker.start()
    await begun.promise
    const stopped = worker.stop({ withinMs })
    if (expected === 'sending') await stopped
    answered.resolve({ kind: 'sent', response: '250 OK' })
    await stopped
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    const [mail] = await listMails(db)
    assert.deepEqual([mail?.status, (await listAttempts(db)).length], [expected, expected === 'sent' ? 1 : 0])
  }
})

test('an email that can’t be loaded stays pending, and the failure is logged', async (t) => {
  const db = await openTestDatabase(t)
  await aNotified(db)
  const failed = new Error('no answer')
  const { worker, errors } = aWorker(t, db, 'smtp://unused', { describe: () => Promise.reject(failed) })
  worker.start()
  await waitFor(() => errors.length > 0)
  await worker.stop()
  const [mail] = await listMails(db)
  assert.deepEqual([errors[0], mail?.status, mail?.attempt_count], [{ err: failed }, 'pending', 0])
})

test('emails beyond one statement’s limit are stored once each', async (t) => {
  const db = await openTestDatabase(t)
  await aNotified(db)
  const [one] = await listMails(db)
  assert.ok(one?.form_id)
  const mail = { submissionId: one.submission_id, formId: one.form_id, createdAt: one.created_at }
  await insertMails(
    db,
    Array.from({ length: 501 }, (_, index) => ({ ...mail, recipient: `${index}@example.com` })),
  )
  const recipients = (await listMails(db)).map(({ recipient }) => recipient)
  assert.deepEqual([recipients.length, new Set(recipients).size], [502, 502])
})

test('names can’t inject headers or recipients', async (t) => {
  const db = await openTestDatabase(t)
  const server = await startMailServer(t)
  await aNotified(db, { note: 'x\r\nBcc: eve@example.com' })
  await db
    .updateTable('forms')
    .set({ name: 'Quote\r\nBcc: eve@example.com' })
    .where('slug', '=', 'quote')
    .execute()
  aWorker(t, db, server.url).worker.start()
  await settledMail(db)
  const [mail] = server.received
  const [head = ''] = (mail?.raw ?? '').split('\r\n\r\n')
  assert.doesNotMatch(head, /^Bcc:/im)
  assert.deepEqual(mail?.recipients, [LEADS])
})

test('§2.9 an email uses the current names of service and place and the site’s time zone', async (t) => {
  const db = await openTestDatabase(t)
  const server = await startMailServer(t)
  const site = { name: 'Shannon', language: 'en-IE', time_zone: 'Europe/Dublin' }
  await db
    .insertInto('settings')
    .values({ key: 'site', value_json: JSON.stringify(site) })
    .execute()
  const taxonomy = await findTaxonomy(db, 'locations')
  let parentId: number | null = null
  for (const [slug, name] of [
    ['ireland', 'Ireland'],
    ['clare', 'County Clare'],
    ['ennis', 'Ennis'],
  ] as const) {
    const term = { slug, name, parentId, description: null, position: 0 }
    const ids: Map<string, number> = await insertTerms(db, taxonomy?.id ?? 0, [term])
    parentId = ids.get(slug) ?? null
  }
  const type = await db
    .selectFrom('content_types')
    .select('id')
    .where('slug', '=', 'services')
    .executeTakeFirst()
  const service = await db
    .insertInto('content_entries')
    .values({ type_id: type?.id ?? 0, slug: 'boiler', title: 'Boiler service', status: 'published' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await aNotified(db, { email: 'aoife@example.com' })
  await db
    .updateTable('form_submissions')
    .set({
      service_slug: 'boiler',
      service_id: service.id,
      location_id: parentId,
      location_name: 'Inis',
      location_path: 'ireland/clare/ennis',
      submitted_at: '2026-07-20T14:02:01.308Z',
    })
    .execute()
  aWorker(t, db, server.url).worker.start()
  await settledMail(db)
  const raw = server.received[0]?.raw ?? ''
  assert.match(raw, /^Subject: Boiler service in Ennis: aoife@example\.com, Repair\r$/m)
  assert.match(raw, /Service: Boiler service\r\nPlace: Ennis, County Clare\r\n/)
  assert.match(raw, /Received: Monday 20 July 2026 at 15:02 IST\r\n/)
  assert.match(raw, /^Content-Language: en-IE\r$/m)
})

test('deleting a submission deletes its email, and spam sends none', async (t) => {
  const db = await openTestDatabase(t)
  const server = await startMailServer(t)
  await aNotified(db)
  await aNotified(db)
  await db.deleteFrom('form_submissions').where('id', '=', 1).execute()
  await db.updateTable('form_submissions').set({ status: 'spam' }).execute()
  aWorker(t, db, server.url).worker.start()
  const { status, outcome_code } = await settledMail(db)
  assert.deepEqual([status, outcome_code, server.attempts()], ['cancelled', 'spam', 0])
})

test('a mail says how the visitor came, and leaves out hidden fields that never change', async (t) => {
  const db = await openTestDatabase(t)
  const server = await startMailServer(t)
  const hidden = (name: string) => ({ name, label: name, type: 'hidden' as const, default_value: 'website' })
  await storeForm(db, 'quote', {
    fields: [
      { name: 'agree', label: 'I agree to the [privacy policy](/privacy)', type: 'checkbox' },
      hidden('constant'),
      hidden('partner'),
    ],
    settings: { notification_email: LEADS },
  })
  const last = { landing_page: '/services/ac-repair', utm_campaign: 'spring-boiler', gclid: 'x' }
  await aDesk(db, { sendsMail: true }).accept('quote', {
    ...{ agree: true, constant: 'website', partner: 'radio', _source: JSON.stringify({ last }) },
  })
  aWorker(t, db, server.url).worker.start()
  await settledMail(db)
  const raw = (server.received[0]?.raw ?? '').replace(/=\r\n/g, '')
  assert.match(
    raw,
    /How they found you: Google Ads, campaign spring-boiler, landed on\r\n\/services\/ac-repair\r\n/,
  )
  assert.match(raw, /I agree to the privacy policy: Yes\r\npartner: radio\r\n/)
  assert.doesNotMatch(raw, /constant|website|\]\(/)
})
