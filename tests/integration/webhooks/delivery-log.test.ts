import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { describeOutcome } from '#src/messages/admin/webhooks/reasons.ts'
import { listDeliveries } from '#src/webhooks/deliveries/delivery-log-store.ts'
import { getDeliveryStory } from '#src/webhooks/deliveries/delivery-story.ts'
import { openTestDatabase } from '../../support/database.ts'
import { storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { plansOf } from '../../support/query-plans.ts'
import { startReceiver } from '../../support/receiver.ts'
import { aDispatcher, FORM_ID, haveWebhooks, SITE_URL, settledDeliveries, submit } from './webhook-world.ts'

test('contract §6: a delivery’s log shows each request, its time, and the response', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(
    t,
    { status: 500, headers: { 'x-trace': 'abc' }, body: 'x'.repeat(10_000) },
    { status: 200, body: 'thanks' },
  )
  await haveWebhooks(db, {
    ...{ url: `${receiver.url}/hook`, headers: { Authorization: 'Bearer hush', 'X-Team': 'sales' } },
    ...{ method: 'PUT', fire_on: { email: 'a@example.com' } },
  })
  await submit(db)
  aDispatcher(t, db).dispatcher.start()
  const [row] = await settledDeliveries(db)
  const story = await getDeliveryStory(db, row?.id ?? 0, { scope: EVERY_LEAD, siteUrl: SITE_URL })
  assert.equal(story?.body, receiver.requests[0]?.body)
  assert.equal(receiver.requests[0]?.headers.authorization, 'Bearer hush')
  const [first, second] = story?.attempts ?? []
  assert.deepEqual([first?.method, first?.url], ['PUT', `${receiver.url}/hook`])
  assert.deepEqual(
    [first?.requestHeaders?.Authorization, first?.requestHeaders?.['X-Team']],
    ['••••', 'sales'],
  )
  assert.equal(first?.requestHeaders?.['webhook-id'], story?.delivery.messageId)
  assert.deepEqual(
    [first?.status, first?.failureKind, first?.responseHeaders?.['x-trace']],
    [500, 'status', 'abc'],
  )
  assert.equal(first?.responseBody?.length, 4_096)
  assert.deepEqual([second?.status, second?.failureKind, second?.responseBody], [200, null, 'thanks'])
  assert.ok((first?.startedAt ?? '') <= (second?.startedAt ?? ''))
  assert.deepEqual(story?.trace, {
    source: 'recomputed',
    trace: {
      ...{ kind: 'all', holds: true },
      of: [{ kind: 'rule', rule: 'email eq "a@example.com"', saw: 'a@example.com', holds: true }],
    },
  })
  const attempts = await db.selectFrom('delivery_attempts').selectAll().execute()
  assert.doesNotMatch(JSON.stringify(attempts), /hush/)
})

test('contract §6: a skipped delivery’s trace is kept when the condition changes', async (t) => {
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { url: 'https://a.example.com', fire_on: { role: 'owner' } })
  await submit(db, { answers: { role: 'agency' } })
  await haveWebhooks(db, { url: 'https://a.example.com', fire_on: { role: 'agency' } })
  const [row] = await settledDeliveries(db)
  const story = await getDeliveryStory(db, row?.id ?? 0, { scope: EVERY_LEAD, siteUrl: SITE_URL })
  assert.equal(
    story && describeOutcome(story.delivery),
    'Not sent: “role” is “agency”; this webhook is for leads where “role” is “owner”',
  )
  assert.deepEqual(story?.trace, {
    source: 'kept',
    trace: {
      ...{ kind: 'all', holds: false },
      of: [{ kind: 'rule', rule: 'role eq "owner"', saw: 'agency', holds: false }],
    },
  })
  assert.equal(await getDeliveryStory(db, 99, { scope: EVERY_LEAD, siteUrl: SITE_URL }), undefined)
})

test('deliveries are listed newest first, page by page, with filters', async (t) => {
  const db = await openTestDatabase(t)
  const [a, b] = await haveWebhooks(
    db,
    { name: 'a', url: 'https://a.example.com' },
    { name: 'b', url: 'https://a.example.com', fire_on: { role: 'owner' } },
  )
  const submissions = [await submit(db), await submit(db), await submit(db)]
  const first = await listDeliveries(db, { scope: EVERY_LEAD, formId: 1, limit: 4 })
  const second = await listDeliveries(db, { scope: EVERY_LEAD, formId: 1, limit: 4, before: first.next })
  const ids = [...first.deliveries, ...second.deliveries].map(({ id }) => id)
  assert.equal(new Set(ids).size, 6)
  assert.deepEqual(
    ids,
    ids.toSorted((one, other) => other - one),
  )
  assert.equal(second.next, undefined)
  const idsOf = async (filter: object) =>
    (await listDeliveries(db, { scope: EVERY_LEAD, ...filter, limit: 9 })).deliveries.length
  assert.equal(await idsOf({ webhookId: a?.id }), 3)
  assert.equal(await idsOf({ webhookId: b?.id, status: 'pending' }), 0)
  assert.equal(await idsOf({ status: ['pending', 'skipped'] }), 6)
  assert.equal(await idsOf({ submissionId: submissions[0] }), 2)
  assert.equal(await idsOf({ formId: 2 }), 0)
  assert.equal(first.deliveries[0]?.webhookName, 'b')

  const [early, late] = ['2026-11-20T10:00:00.000Z', '2026-11-20T11:00:00.000Z'] as const
  const update = db.updateTable('webhook_deliveries')
  await update.set({ created_at: early }).execute()
  await update
    .set({ created_at: late })
    .where('submission_id', '=', submissions[2] ?? 0)
    .execute()
  const inFlight = { status: 'delivering', lease_expires_at: late } as const
  await update
    .set(inFlight)
    .where('submission_id', '=', submissions[2] ?? 0)
    .where('webhook_id', '=', a?.id ?? 0)
    .execute()
  assert.deepEqual([await idsOf({ from: late }), await idsOf({ until: late })], [2, 4])
  assert.equal(await idsOf({ from: early, until: early }), 0)
  assert.deepEqual([await idsOf({ status: 'delivering' }), await idsOf({ status: 'skipped' })], [1, 3])
  assert.equal(await idsOf({ status: 'delivering', webhookId: b?.id }), 0)
})

test('an account of some forms sees only their deliveries, read by form only for a single one', async (t) => {
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { url: 'https://a.example.com' })
  const quote = await storeForm(db, 'quote')
  await submit(db)
  const ofQuote = { form_id: quote.id, webhook_id: await storeWebhook(db, quote.id) }
  const { id: submission_id } = await db
    .insertInto('form_submissions')
    .values({ form_id: quote.id, data_json: '{}', submitted_at: '2026-11-20T10:00:00.000Z' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('webhook_deliveries')
    .values({ ...ofQuote, submission_id, status: 'pending', created_at: '2026-11-20T10:00:00.000Z' })
    .execute()
  const list = (forms: number[]) => listDeliveries(db, { scope: { places: null, forms }, limit: 9 })
  const formsOf = async (forms: number[]) => (await list(forms)).deliveries.map(({ formId }) => formId)
  assert.deepEqual(await formsOf([FORM_ID]), [FORM_ID])
  assert.deepEqual(await formsOf([FORM_ID, quote.id]), [quote.id, FORM_ID])
  assert.deepEqual(await formsOf([]), [])
  const usesIndexOfForm = async (forms: number[]) =>
    (await plansOf(db, () => list(forms))).flat().some((step) => /webhook_deliveries .*form_id=/.test(step))
  assert.deepEqual(
    [await usesIndexOfForm([FORM_ID]), await usesIndexOfForm([FORM_ID, quote.id])],
    [true, false],
  )
})
