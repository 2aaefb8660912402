import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { listMails } from '#src/notifications/mail-log-store.ts'
import {
  cancelPendingMails,
  claimDueMails,
  hasMails,
  insertMailAttempt,
  insertMails,
  mailDeletes,
  reviveMails,
  settleMail,
} from '#src/notifications/mail-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aDesk, assertStored } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'

const CREATED = '2026-11-20T10:00:00.000Z'
const now = new Date('2026-11-20T11:00:00.000Z')
const later = new Date('2026-11-20T12:00:00.000Z')

/** Two leads, each with a mail to `one@`; the first has another one that is being sent. */
async function leadsWithMails(t: TestContext) {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote')
  const desk = aDesk(db)
  const ids: number[] = []
  for (const answer of ['first', 'second']) ids.push(assertStored(await desk.accept('quote', { answer })).id)
  const [first = 0, second = 0] = ids
  const mail = (submissionId: number, recipient: string) => ({
    ...{ submissionId, formId: form.id, recipient, createdAt: CREATED },
  })
  await insertMails(db, [mail(first, 'sending@example.com')])
  const [sending] = await claimDueMails(db, { now, limit: 1, leaseMs: 60_000 })
  assert.ok(sending)
  await insertMails(db, [mail(first, 'one@example.com'), mail(second, 'one@example.com')])
  const statesOf = async (id: number) =>
    (await listMails(db, id, EVERY_LEAD)).mails.map(({ recipient, status, reason, nextAttemptAt }) => [
      recipient.split('@')[0],
      status,
      reason?.code ?? null,
      nextAttemptAt,
    ])
  return { db, first, second, sending, statesOf }
}

test('a lead’s pending emails are canceled and resumed with their reason; others stay', async (t) => {
  const { db, first, second, statesOf } = await leadsWithMails(t)
  const untouched = await statesOf(second)
  assert.deepEqual(untouched, [['one', 'pending', null, CREATED]])
  await cancelPendingMails(db, first, { reason: 'spam', now })
  const sending = ['sending', 'sending', null, CREATED]
  const canceled = [sending, ['one', 'cancelled', 'spam', null]]
  assert.deepEqual(await statesOf(first), canceled)
  const [, { finishedAt } = {}] = (await listMails(db, first, EVERY_LEAD)).mails
  assert.equal(finishedAt, now.toISOString())
  await reviveMails(db, first, { reason: 'reply_off', now: later })
  await reviveMails(db, second, { reason: 'spam', now: later })
  assert.deepEqual(await statesOf(first), canceled)
  await reviveMails(db, first, { reason: 'spam', now: later })
  assert.deepEqual(await statesOf(first), [sending, ['one', 'pending', null, later.toISOString()]])
  assert.deepEqual(await statesOf(second), untouched)
})

test('a lead’s emails stay until they are removed, in any state', async (t) => {
  const { db, first, second } = await leadsWithMails(t)
  await cancelPendingMails(db, second, { reason: 'spam', now })
  const found = async () => [await hasMails(db, first), await hasMails(db, second), await hasMails(db, 999)]
  assert.deepEqual(await found(), [true, true, false])
  for (const query of mailDeletes(db, [second])) await db.executeQuery(query)
  assert.deepEqual(await found(), [true, false, false])
  assert.deepEqual(mailDeletes(db, []), [])
})

test('a lead’s log lists its own emails with attempts, oldest first, and its reply', async (t) => {
  const { db, first, second, sending } = await leadsWithMails(t)
  const attempt = { startedAt: now, durationMs: 7, response: null, failureMessage: '451 later' }
  await insertMailAttempt(db, { id: sending.id, attemptNumber: 1 }, attempt)
  await insertMailAttempt(
    db,
    { id: sending.id, attemptNumber: 2 },
    { ...attempt, startedAt: later, response: '250 ok', failureMessage: null },
  )
  const ended = { attemptCount: 2, nextAttemptAt: null, finishedAt: later, lastError: null, reason: null }
  await settleMail(db, sending, { ...ended, status: 'sent' })
  const reply = { submission_id: first, recipient: 'ann@example.com', limit_key: 'ann', response: '250 ok' }
  await db
    .insertInto('reply_mails')
    .values({ ...reply, status: 'sent', created_at: CREATED, next_attempt_at: null })
    .execute()
  const log = await listMails(db, first, EVERY_LEAD)
  assert.deepEqual(
    log.mails.map((mail) => [mail.recipient, mail.status, mail.finishedAt]),
    [
      ['sending@example.com', 'sent', later.toISOString()],
      ['one@example.com', 'pending', null],
    ],
  )
  assert.deepEqual(
    log.mails.map(({ attempts }) => attempts.map((one) => [one.attemptNumber, one.response])),
    [
      [
        [1, null],
        [2, '250 ok'],
      ],
      [],
    ],
  )
  assert.deepEqual([log.reply?.recipient, log.reply?.response], ['ann@example.com', '250 ok'])
  const other = await listMails(db, second, EVERY_LEAD)
  assert.deepEqual([other.mails.length, other.mails[0]?.attempts, other.reply], [1, [], undefined])
  assert.deepEqual(await listMails(db, 999, EVERY_LEAD), { mails: [], reply: undefined })
})
