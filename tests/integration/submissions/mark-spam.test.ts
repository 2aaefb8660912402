import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import type { Schema } from '#src/db/schema.ts'
import { markNotSpam, markSpam } from '#src/submissions/inbox/mark-spam.ts'
import { type Sorting, sortSubmissions } from '#src/submissions/inbox/sort-submissions.ts'
import { listDeliveries } from '#src/webhooks/deliveries/delivery-log-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aDesk, assertStored, storedSubmission, storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const OPTIONS = { siteUrl: 'https://www.example.com', sendsMail: true, now: NOW }

/** A form with a webhook and a notification, and one submission of it. */
async function aPost(db: Kysely<Schema>, body: Record<string, unknown>) {
  const settings = { honeypot: 'website', notification_email: 'leads@example.com' }
  const form = await storeForm(db, 'quote', { settings })
  await storeWebhook(db, form.id)
  await storeWebhook(db, form.id, { fireOn: { answer: 'other' } })
  return assertStored(await aDesk(db, { sendsMail: true }).accept('quote', body)).id
}

const REPLYING = JSON.stringify({
  notification_email: 'leads@example.com',
  reply: { subject: 'Thanks', text: 'We call you.' },
})

const SPAM = { answer: 'hello', website: 'x' }

async function outbox(db: Kysely<Schema>) {
  const deliveries = await db.selectFrom('webhook_deliveries').selectAll().orderBy('id').execute()
  const mails = await db.selectFrom('notification_mails').selectAll().orderBy('id').execute()
  return {
    deliveries: deliveries.map(({ status, outcome_code }) => [status, outcome_code]),
    mails: mails.map(({ status, outcome_code }) => [status, outcome_code]),
    due: deliveries.map(({ next_attempt_at }) => next_attempt_at).filter((at) => at !== null),
  }
}

test('issue 3 a submission marked as not spam becomes new, and its webhooks fire', async (t) => {
  const db = await openTestDatabase(t)
  const id = await aPost(db, SPAM)
  assert.deepEqual(await outbox(db), { deliveries: [], mails: [], due: [] })
  assert.equal(await markNotSpam(db, id, { ...OPTIONS, scope: EVERY_LEAD }), 'sending')
  const row = await storedSubmission(db, { kind: 'accepted', id } as never)
  assert.deepEqual([row.status, row.spamReason], ['new', null])
  const { deliveries, mails, due } = await outbox(db)
  assert.deepEqual(
    deliveries.map(([status]) => status),
    ['pending', 'skipped'],
  )
  assert.deepEqual(mails, [['pending', null]])
  assert.deepEqual(due, [NOW.toISOString()])
})

test('issue 3 marking twice, or concurrently, fires once', async (t) => {
  const db = await openTestDatabase(t)
  const id = await aPost(db, SPAM)
  const marked = await Promise.all([
    markNotSpam(db, id, { ...OPTIONS, scope: EVERY_LEAD }),
    markNotSpam(db, id, { ...OPTIONS, scope: EVERY_LEAD }),
  ])
  assert.deepEqual(marked.toSorted(), ['sending', undefined])
  assert.equal(await markNotSpam(db, id, { ...OPTIONS, scope: EVERY_LEAD }), undefined)
  assert.equal((await outbox(db)).deliveries.length, 2)
  assert.equal(await markNotSpam(db, 999, { ...OPTIONS, scope: EVERY_LEAD }), undefined)
})

test('issue 3 marking as spam cancels pending deliveries, and undoing it sends only those', async (t) => {
  const db = await openTestDatabase(t)
  const id = await aPost(db, { answer: 'hello' })
  assert.equal(await markSpam(db, id, { scope: EVERY_LEAD, now: NOW }), true)
  assert.equal(await markSpam(db, id, { scope: EVERY_LEAD, now: NOW }), false)
  const cancelled = await outbox(db)
  assert.deepEqual(cancelled.deliveries[0], ['cancelled', 'spam'])
  assert.equal(cancelled.deliveries[1]?.[0], 'skipped')
  assert.deepEqual(cancelled.mails, [['cancelled', 'spam']])
  await markNotSpam(db, id, { ...OPTIONS, scope: EVERY_LEAD })
  const revived = await outbox(db)
  assert.deepEqual(revived.deliveries[0], ['pending', null])
  assert.deepEqual([revived.deliveries.length, revived.mails], [2, [['pending', null]]])
})

test('issue 3 delivered webhooks stay delivered, however often a submission is marked', async (t) => {
  const db = await openTestDatabase(t)
  const id = await aPost(db, { answer: 'hello' })
  await db.updateTable('webhook_deliveries').set({ status: 'delivered' }).execute()
  await db.updateTable('notification_mails').set({ status: 'sent' }).execute()
  for (let round = 0; round < 3; round += 1) {
    await markSpam(db, id, { scope: EVERY_LEAD, now: NOW })
    assert.equal(await markNotSpam(db, id, { ...OPTIONS, scope: EVERY_LEAD }), 'sent_before')
  }
  const { deliveries, mails } = await outbox(db)
  assert.deepEqual(
    [deliveries, mails].map((rows) => rows.map(([status]) => status)),
    [['delivered', 'delivered'], ['sent']],
  )
})

test('a lead marked as not spam is skipped, with its trace, by webhooks it no longer matches', async (t) => {
  const db = await openTestDatabase(t)
  const id = await aPost(db, { answer: 'hello' })
  await markSpam(db, id, { scope: EVERY_LEAD, now: NOW })
  await db.updateTable('form_webhooks').set({ fire_on_json: '{"answer":"other"}' }).execute()
  const options = { ...OPTIONS, sendsMail: false, scope: EVERY_LEAD }
  assert.equal(await markNotSpam(db, id, options), 'nothing')
  const { deliveries } = await listDeliveries(db, { scope: EVERY_LEAD, submissionId: id, limit: 5 })
  assert.deepEqual(
    deliveries.map((one) => [one.status, one.reason?.code, one.trace?.kind]),
    [
      ['skipped', 'rule_failed', 'all'],
      ['skipped', 'rule_failed', 'all'],
    ],
  )
})

test('a lead shows that a person marked it as spam; without a mail server, undoing it plans no email', async (t) => {
  const db = await openTestDatabase(t)
  const id = await aPost(db, SPAM)
  await db.updateTable('forms').set({ settings_json: REPLYING }).where('slug', '=', 'quote').execute()
  await markNotSpam(db, id, { ...OPTIONS, sendsMail: false, scope: EVERY_LEAD })
  assert.deepEqual((await outbox(db)).mails, [])
  assert.deepEqual(await db.selectFrom('reply_mails').selectAll().execute(), [])
  await markSpam(db, id, { scope: EVERY_LEAD, now: NOW })
  const { status, spamReason } = await storedSubmission(db, { kind: 'accepted', id } as never)
  assert.deepEqual([status, spamReason?.code], ['spam', 'by_hand'])
})

test('a test delivery resumes once its lead isn’t spam, regardless of conditions', async (t) => {
  const db = await openTestDatabase(t)
  const id = await aPost(db, { answer: 'hello' })
  const asTest = { is_test: 1, status: 'pending' } as const
  await db.updateTable('webhook_deliveries').set(asTest).where('status', '=', 'skipped').execute()
  await markSpam(db, id, { scope: EVERY_LEAD, now: NOW })
  assert.deepEqual((await outbox(db)).due, [])
  await markNotSpam(db, id, { ...OPTIONS, scope: EVERY_LEAD })
  assert.deepEqual((await outbox(db)).deliveries, [
    ['pending', null],
    ['pending', null],
  ])
})

test('a delivery whose webhook was deleted resumes too, and fails with the reason', async (t) => {
  const db = await openTestDatabase(t)
  const id = await aPost(db, { answer: 'hello' })
  await markSpam(db, id, { scope: EVERY_LEAD, now: NOW })
  await db.updateTable('webhook_deliveries').set({ webhook_id: null }).execute()
  await markNotSpam(db, id, { ...OPTIONS, scope: EVERY_LEAD })
  assert.deepEqual((await outbox(db)).deliveries[0], ['pending', null])
})

test('marking several leads as not spam tells how many are sent now and were before', async (t) => {
  const db = await openTestDatabase(t)
  const held = await aPost(db, SPAM)
  const sent = await aPost(db, { answer: 'hello' })
  const silent = await aPost(db, SPAM)
  const ids = [held, sent, silent]
  const sort = (sorting: Sorting) => sortSubmissions(db, ids, sorting, { ...OPTIONS, scope: EVERY_LEAD })
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'delivered' })
    .where('status', '=', 'pending')
    .execute()
  await db.updateTable('notification_mails').set({ status: 'sent' }).execute()
  assert.deepEqual(await sort('spam'), { ids: [sent], sending: 0, sentBefore: 0 })
  await db.updateTable('form_submissions').set({ form_id: null }).where('id', '=', silent).execute()
  assert.deepEqual(await sort('not_spam'), { ids, sending: 1, sentBefore: 1 })
  assert.deepEqual(await sort('not_spam'), { ids: [], sending: 0, sentBefore: 0 })
  assert.deepEqual((await sort('archive')).ids, ids)
  assert.deepEqual((await sort('read')).ids, [])
  assert.deepEqual((await sort('restore')).ids, ids)
  assert.deepEqual((await sort('unread')).ids, ids)
})

for (const [what, { reply, mail }, state] of [
  ['a pending reply', { reply: 'pending', mail: 'sent' }, 'sending'],
  ['a pending email', { reply: 'sent', mail: 'pending' }, 'sending'],
  ['only what was sent', { reply: 'sent', mail: 'sent' }, 'sent_before'],
  ['only what failed', { reply: 'failed', mail: 'failed' }, 'nothing'],
] as const)
  test(`a lead marked as not spam with ${what} is ${state}`, async (t) => {
    const db = await openTestDatabase(t)
    await storeForm(db, 'quote', {
      fields: [{ name: 'email', label: 'Email', type: 'email' }],
      settings: { ...JSON.parse(REPLYING), honeypot: 'website' },
    })
    const desk = aDesk(db, { sendsMail: true })
    const { id } = assertStored(await desk.accept('quote', { email: 'ann@example.com' }))
    await db.updateTable('reply_mails').set({ status: reply }).execute()
    await db.updateTable('notification_mails').set({ status: mail }).execute()
    await db.updateTable('form_submissions').set({ status: 'spam' }).execute()
    assert.equal(await markNotSpam(db, id, { ...OPTIONS, scope: EVERY_LEAD }), state)
  })

test('a lead marked as not spam gets the reply that its form now sends, unless its form was deleted', async (t) => {
  const db = await openTestDatabase(t)
  const fields = [{ name: 'email', label: 'Email', type: 'email' as const }]
  await storeForm(db, 'quote', { fields, settings: { honeypot: 'website' } })
  const desk = aDesk(db, { sendsMail: true })
  const spam = { email: 'ann@example.com', website: 'x' }
  const [first, second, third] = [
    assertStored(await desk.accept('quote', spam)).id,
    assertStored(await desk.accept('quote', spam)).id,
    assertStored(await desk.accept('quote', spam)).id,
  ]
  await storeForm(db, 'quote', { fields, settings: { ...JSON.parse(REPLYING), honeypot: 'website' } })
  await db.updateTable('form_submissions').set({ form_id: null }).where('id', '=', third).execute()
  const mark = (id: number, sendsMail: boolean) =>
    markNotSpam(db, id, { ...OPTIONS, sendsMail, scope: EVERY_LEAD })
  assert.deepEqual(
    [await mark(first, true), await mark(second, false), await mark(third, true)],
    ['sending', 'nothing', 'nothing'],
  )
  const replies = await db
    .selectFrom('reply_mails')
    .select(['submission_id', 'recipient', 'created_at'])
    .execute()
  assert.deepEqual(replies, [
    { submission_id: first, recipient: 'ann@example.com', created_at: NOW.toISOString() },
  ])
})

test('a lead marked as not spam is emailed to those whose conditions match its page', async (t) => {
  const db = await openTestDatabase(t)
  const pageUrl = `${OPTIONS.siteUrl}/services/ac-repair/austin`
  await storeForm(db, 'quote', {
    settings: {
      honeypot: 'website',
      notifications: [
        { to: ['page@example.com'], when: { 'meta.page_url': pageUrl } },
        { to: ['other@example.com'], when: { 'meta.page_url': '/other' } },
        { to: ['rest@example.com'], fallback: true },
      ],
    },
  })
  const spam = { ...SPAM, _page: '/services/ac-repair/austin' }
  const { id } = assertStored(await aDesk(db, { sendsMail: true }).accept('quote', spam))
  await markNotSpam(db, id, { ...OPTIONS, scope: EVERY_LEAD })
  const mails = await db.selectFrom('notification_mails').select('recipient').execute()
  assert.deepEqual(mails, [{ recipient: 'page@example.com' }])
})

test('a lead marked as not spam is sent if only a webhook waits for it', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', { settings: { honeypot: 'website' } })
  await storeWebhook(db, form.id)
  const { id } = assertStored(await aDesk(db).accept('quote', SPAM))
  assert.equal(await markNotSpam(db, id, { ...OPTIONS, scope: EVERY_LEAD }), 'sending')
  await db.updateTable('webhook_deliveries').set({ status: 'delivered' }).execute()
  await db.updateTable('form_submissions').set({ status: 'spam' }).execute()
  assert.equal(await markNotSpam(db, id, { ...OPTIONS, scope: EVERY_LEAD }), 'sent_before')
})
