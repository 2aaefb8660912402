import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { insertAdministrator, updateDisabled } from '#src/auth/administrator-store.ts'
import { findReset } from '#src/auth/password-links/password-resets.ts'
import type { MailOutcome } from '#src/notifications/send-mail.ts'
import { answerPreview, listAnswers } from '#src/publish/previews/answer-store.ts'
import { beginPreview } from '#src/publish/previews/make-preview.ts'
import {
  accountMailHtml,
  createAccountMail,
  type SendAccountMail,
} from '#src/server/accounts/account-mail.ts'
import { findMailSite } from '#src/server/accounts/mail-site.ts'
import { createResetMails } from '#src/server/accounts/reset-mails.ts'
import { tellUser } from '#src/server/accounts/tell-user.ts'
import { createAnswerMails } from '#src/server/previews/answer-mails.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { atEnd } from '../../support/at-end.ts'
import { openTestDatabase } from '../../support/database.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { waitFor } from '../../support/running-site.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const config = { siteUrl: 'https://www.example.com:8443', adminUrl: 'https://admin.example.com' }
const ANN = 'ann@example.com'
const SENT: MailOutcome = { kind: 'sent', response: '250' }
const failed = (values: { isFinal?: boolean; isUncertain?: boolean } = {}): MailOutcome => ({
  ...{ kind: 'failed', message: 'refused', isFinal: false, isUncertain: false },
  ...values,
})

type Mail = Parameters<SendAccountMail>[0]

/** A database with Ann and Bo, and a sender with these outcomes, the last of them from then on. */
async function aSender(t: TestContext, ...outcomes: MailOutcome[]) {
  const db = await openTestDatabase(t)
  const annId = await insertAdministrator(db, { email: ANN, name: null, passwordHash: 'x', now: NOW })
  await insertAdministrator(db, { email: 'bo@example.com', name: null, passwordHash: 'x', now: NOW })
  assert.ok(annId)
  const mails: Mail[] = []
  const accountMail: SendAccountMail = async (mail) => {
    mails.push(mail)
    return outcomes[Math.min(mails.length, outcomes.length) - 1] ?? SENT
  }
  return { db, annId, mails, accountMail }
}

test('emails name the business with its host, or the host until it has a name', async (t) => {
  const { db } = await aSender(t)
  const host = 'www.example.com:8443'
  assert.deepEqual(await findMailSite(db, config), { business: host, site: host })
  await saveSiteSettings(db, siteSettings.parse({ name: 'Shannon' }), { now: NOW.toISOString() })
  assert.deepEqual(await findMailSite(db, config), { business: 'Shannon', site: `Shannon (${host})` })
})

test('the link of an email is a button, and other texts are paragraphs', () => {
  const link = 'https://a.example/b'
  const mail = { subject: 'A & B', text: `One\nmore\n\nOpen:\n${link}\n\nLast ${link}\n` }
  const html = accountMailHtml({ ...mail, action: { label: 'Go on', link } })
  assert.equal(html.match(/href="https:\/\/a\.example\/b"/g)?.length, 1)
  assert.match(html, />Go on<\/a>/)
  assert.doesNotMatch(html, /Open:/)
  assert.match(html, /Last https:/)
  assert.match(html, /A &amp; B/)
  assert.match(html, /<html lang="en"/)
  assert.doesNotMatch(accountMailHtml(mail), /href="https:\/\/a\.example\/b"/)
  assert.match(accountMailHtml(mail), /Open:/)
})

test('an account email is sent at once, as text and HTML', async (t) => {
  const server = await startMailServer(t)
  const smtp = { smtpUrl: server.url, mailFrom: 'Signpost <forms@example.com>', siteUrl: config.siteUrl }
  assert.equal(createAccountMail({ ...smtp, smtpUrl: undefined }), undefined)
  assert.equal(createAccountMail({ ...smtp, mailFrom: undefined }), undefined)
  const send = createAccountMail(smtp)
  assert.ok(send)
  const mail = { recipient: ANN, subject: 'Hello', text: 'First text' }
  assert.equal((await send(mail)).kind, 'sent')
  assert.equal((await send({ ...mail, html: '<p>Own</p>' })).kind, 'sent')
  const [first, second] = server.received
  assert.deepEqual(first?.recipients, [ANN])
  assert.match(first?.raw ?? '', /^Message-ID: <account-[\w-]{36}@www\.example\.com>/m)
  assert.match(first?.raw ?? '', /^Subject: Hello/m)
  assert.match(first?.raw ?? '', /<h1[^>]*>Hello/)
  assert.doesNotMatch(first?.raw ?? '', /^Reply-To:/im)
  assert.match(second?.raw ?? '', /<p>Own<\/p>/)
})

test('a user with the address gets a link for a new password, and nobody else', async (t) => {
  const { db, mails, accountMail } = await aSender(t, SENT, failed())
  const logged: unknown[] = []
  const note = (kind: string) => (fields: object) => logged.push([kind, fields])
  const log = { warn: note('warn'), error: note('error') }
  const options = { db, config, now: () => NOW, log }
  assert.equal(createResetMails({ ...options, accountMail: undefined }), undefined)
  const resets = createResetMails({ ...options, accountMail })
  assert.ok(resets)
  resets.start()
  resets.send('other@example.com')
  await resets.stop()
  assert.equal(mails.length, 0)
  resets.send(ANN)
  await resets.stop()
  const [mail] = mails
  assert.equal(mail?.recipient, ANN)
  assert.equal(mail.subject, 'Reset your password (www.example.com:8443)')
  const [, token = ''] =
    /^https:\/\/admin\.example\.com\/admin\/password-reset\/(\S+)$/.exec(mail.action?.link ?? '') ?? []
  assert.equal((await findReset(db, token, { now: NOW }))?.email, ANN)
  assert.match(mail.text, /expires after 30 minutes/)
  assert.deepEqual(logged, [])
  resets.send(ANN)
  await resets.stop()
  assert.deepEqual(logged.splice(0), [['warn', { failure: 'refused' }]])
  await db.schema.dropTable('admin_password_resets').execute()
  resets.send(ANN)
  await resets.stop()
  assert.match(JSON.stringify(logged), /^\[\["error",\{"err":/)
})

test('a user is told of each change to the sign-in', async (t) => {
  const { db, mails, accountMail } = await aSender(t)
  const change = { kind: 'two_factors_reset', email: ANN, by: 'bo@example.com' } as const
  assert.equal(await tellUser(undefined, change, { db, config }), undefined)
  assert.deepEqual(await tellUser(accountMail, change, { db, config }), SENT)
  const [mail] = mails
  assert.deepEqual(
    [mail?.recipient, mail?.subject],
    [ANN, 'Two-step sign-in was reset (www.example.com:8443)'],
  )
  assert.match(mail?.text ?? '', /^bo@example\.com reset two-step sign-in/)
  assert.match(mail?.text ?? '', /your account at www\.example\.com:8443\./)
})

/** Runs the worker of answers until it rests. */
async function sendAnswers(
  t: TestContext,
  { db, accountMail }: { db: Awaited<ReturnType<typeof aSender>>['db']; accountMail: SendAccountMail },
  now: Date,
) {
  const log = { error: (fields: object) => assert.fail(JSON.stringify(fields)) }
  const worker = createAnswerMails({ db, config, accountMail, now: () => now, log })
  assert.ok(worker)
  atEnd(t, () => worker.stop())
  worker.start()
  const isDue = () =>
    db
      .selectFrom('preview_answers')
      .select('id')
      .where('mail_status', '=', 'pending')
      .where('mail_due_at', '<=', now.toISOString())
      .executeTakeFirst()
  await waitFor(async () => !(await isDue()))
  await worker.stop()
}

async function anAnswer(db: Parameters<typeof answerPreview>[0], madeBy = ANN) {
  const { id } = await beginPreview(db, { madeBy, only: undefined, now: NOW })
  const answer = { kind: 'changes' as const, name: 'Cy', note: 'Not this', isMailed: true, now: NOW }
  assert.equal(await answerPreview(db, id, answer), true)
  return id
}

test('whoever made a preview link is emailed each answer', async (t) => {
  const { db, annId, mails, accountMail } = await aSender(t)
  assert.equal(
    createAnswerMails({ db, config, accountMail: undefined, now: () => NOW, log: { error() {} } }),
    undefined,
  )
  const [first, second] = [await anAnswer(db), await anAnswer(db, 'gone@example.com')]
  await sendAnswers(t, { db, accountMail }, new Date(NOW.getTime() - 1))
  assert.equal(mails.length, 0, 'not yet due')
  await sendAnswers(t, { db, accountMail }, NOW)
  const [mail] = mails
  assert.deepEqual(
    [mails.length, mail?.recipient, mail?.subject],
    [1, ANN, 'Changes requested (www.example.com:8443)'],
  )
  assert.match(mail?.text ?? '', /^Cy reviewed your preview of www\.example\.com:8443 and/)
  assert.match(mail?.text ?? '', /Note:\nNot this\n/)
  assert.match(mail?.text ?? '', /^https:\/\/admin\.example\.com\/admin\/publish\/previews$/m)
  const state = async (id: number) => {
    const [answer] = await listAnswers(db, [id])
    return [answer?.mailStatus, answer?.mailError]
  }
  assert.deepEqual(await state(first), ['sent', null])
  const noUser = ['failed', 'The user who created this link no longer has an account.']
  assert.deepEqual(await state(second), noUser)
  await updateDisabled(db, annId, NOW.toISOString())
  const third = await anAnswer(db)
  await sendAnswers(t, { db, accountMail }, NOW)
  assert.deepEqual([mails.length, await state(third)], [1, noUser])
})

test('an email about an answer is tried five times, five minutes apart, unless the server refuses it', async (t) => {
  const { db, mails, accountMail } = await aSender(t, failed())
  const id = await anAnswer(db)
  const find = async () => (await listAnswers(db, [id]))[0]
  let at = NOW
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await sendAnswers(t, { db, accountMail }, at)
    const answer = await find()
    assert.equal(mails.length, attempt)
    assert.deepEqual([answer?.mailStatus, answer?.mailError], [attempt < 5 ? 'pending' : 'failed', 'refused'])
    at = new Date(at.getTime() + 300_000)
    assert.equal(answer?.mailDueAt, at.toISOString())
  }
  await sendAnswers(t, { db, accountMail }, at)
  assert.equal(mails.length, 5)
  const refused = await aSender(t, failed({ isFinal: true }))
  const other = await anAnswer(refused.db)
  await sendAnswers(t, refused, NOW)
  assert.equal((await listAnswers(refused.db, [other]))[0]?.mailStatus, 'failed')
})

test('an email that its server did not finish is sent again two minutes later', async (t) => {
  const { db, accountMail } = await aSender(t)
  const id = await anAnswer(db)
  let dueAt: string | undefined
  await sendAnswers(
    t,
    {
      db,
      async accountMail(mail) {
        dueAt = (await listAnswers(db, [id]))[0]?.mailDueAt
        return accountMail(mail)
      },
    },
    NOW,
  )
  assert.equal(dueAt, new Date(NOW.getTime() + 120_000).toISOString())
})
