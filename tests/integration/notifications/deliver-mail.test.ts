import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { deliverMail } from '#src/notifications/deliver-mail.ts'
import type { MailContent } from '#src/notifications/mail-content.ts'
import { claimDueMails, insertMails } from '#src/notifications/mail-store.ts'
import type { MailOutcome } from '#src/notifications/send-mail.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aDesk, assertStored } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { aMailLook } from '../../support/mail-look.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const SENT: MailOutcome = { kind: 'sent', response: '250 ok' }
const CONTENT: MailContent = {
  ...{
    formName: 'Quote',
    serviceName: undefined,
    places: [],
    answers: [],
    replyTo: undefined,
    cameFrom: undefined,
  },
  ...{ pageUrl: undefined, leadUrl: 'https://www.example.com/admin/inbox/7', templates: {} },
  submittedAt: NOW.toISOString(),
  locale: { country: 'US', language: 'en-US', timeZone: 'UTC' },
  look: aMailLook(),
  subject: { answers: {}, meta: {}, choices: new Map() },
}

const failed = (isFinal: boolean): MailOutcome => ({
  ...{ kind: 'failed', message: '451 later', isFinal, isUncertain: false },
})

/** A claimed mail that was attempted so many times; `attempt` makes one more and returns what is stored. */
async function aClaimedMail(t: TestContext, attempts = 0) {
  const db = await openTestDatabase(t)
  const { id: formId } = await storeForm(db, 'quote')
  const { id: submissionId } = assertStored(await aDesk(db).accept('quote', { answer: 'hello' }))
  await insertMails(db, [{ submissionId, formId, recipient: 'a@example.com', createdAt: NOW.toISOString() }])
  await db.updateTable('notification_mails').set({ attempt_count: attempts }).execute()
  const [mail] = await claimDueMails(db, { now: NOW, limit: 1, leaseMs: 60_000 })
  assert.ok(mail)
  const stored = async () => {
    const row = await db.selectFrom('notification_mails').selectAll().executeTakeFirstOrThrow()
    const { status, attempt_count, next_attempt_at, outcome_code, finished_at, last_error } = row
    return [status, attempt_count, next_attempt_at, outcome_code, finished_at, last_error]
  }
  const sent: unknown[] = []
  const attempt = async (outcome: MailOutcome, { isBrokenOff = false, isGone = false } = {}) => {
    const delivered = await deliverMail(mail, {
      db,
      send: async ({ recipient, messageId, subject }) => {
        sent.push([recipient, messageId, subject])
        return outcome
      },
      describe: async () => (isGone ? undefined : CONTENT),
      retryAt: (number, now) => new Date(now.getTime() + number * 1_000),
      messageHost: 'www.example.com',
      now: () => NOW,
      isBrokenOff: () => isBrokenOff,
    })
    await delivered?.record()
    await delivered?.record()
    return delivered
  }
  const log = () =>
    db.selectFrom('mail_attempts').select(['attempt_number', 'response', 'failure_message']).execute()
  return { db, mail, attempt, stored, log, sent }
}

const AT = NOW.toISOString()

test('a sent email is recorded once, with the same message ID at every attempt', async (t) => {
  const { mail, attempt, stored, log, sent } = await aClaimedMail(t, 6)
  const delivered = await attempt(SENT)
  assert.equal(delivered?.outcome, SENT)
  assert.deepEqual(await stored(), ['sent', 7, null, null, AT, null])
  assert.deepEqual(await log(), [{ attempt_number: 7, response: '250 ok', failure_message: null }])
  const id = `notification-${mail.id}.${NOW.getTime()}@www.example.com`
  assert.deepEqual(sent, [['a@example.com', id, 'Quote']])
})

test('a failed email is retried six times and fails after the seventh attempt', async (t) => {
  for (const attempts of [0, 5]) {
    const { attempt, stored, log } = await aClaimedMail(t, attempts)
    await attempt(failed(false))
    const next = new Date(NOW.getTime() + (attempts + 1) * 1_000).toISOString()
    assert.deepEqual(await stored(), ['pending', attempts + 1, next, null, null, '451 later'])
    assert.deepEqual(await log(), [
      { attempt_number: attempts + 1, response: null, failure_message: '451 later' },
    ])
  }
  const last = await aClaimedMail(t, 6)
  await last.attempt(failed(false))
  assert.deepEqual(await last.stored(), ['failed', 7, null, 'attempts_failed', AT, '451 later'])
})

test('a permanently rejected email fails at once', async (t) => {
  const { attempt, stored } = await aClaimedMail(t)
  await attempt(failed(true))
  assert.deepEqual(await stored(), ['failed', 1, null, 'refused', AT, '451 later'])
})

test('an email about a spam or deleted lead isn’t sent, and an aborted one isn’t recorded', async (t) => {
  const gone = await aClaimedMail(t, 2)
  assert.equal(await gone.attempt(SENT, { isGone: true }), undefined)
  assert.deepEqual(await gone.stored(), ['cancelled', 2, null, 'spam', AT, null])
  assert.deepEqual([gone.sent, await gone.log()], [[], []])
  const broken = await aClaimedMail(t)
  assert.equal(await broken.attempt(SENT, { isBrokenOff: true }), undefined)
  assert.deepEqual((await broken.stored()).slice(0, 2), ['sending', 0])
  assert.deepEqual(await broken.log(), [])
})

test('an attempt that lost its claim isn’t recorded', async (t) => {
  const { db, attempt, stored, log } = await aClaimedMail(t)
  await db.updateTable('notification_mails').set({ claimed_by: 'another' }).execute()
  await attempt(SENT)
  assert.deepEqual((await stored()).slice(0, 2), ['sending', 0])
  assert.deepEqual(await log(), [])
})
