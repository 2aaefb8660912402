import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseWebhook } from '#src/webhooks/definition/pause-webhook.ts'
import { disableWebhook, listFailingWebhooks } from '#src/webhooks/definition/webhook-health-store.ts'
import {
  listWebhookNames,
  listWebhookOverviews,
  listWebhooksNaming,
} from '#src/webhooks/definition/webhook-overview-store.ts'
import { putWebhookRowsBack, readWebhookRows } from '#src/webhooks/definition/webhook-rows-store.ts'
import { countAttemptsByDay } from '#src/webhooks/deliveries/attempt-count-store.ts'
import { countWaitingDeliveries } from '#src/webhooks/deliveries/waiting-deliveries-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { FORM_ID, haveWebhooks, submit } from './webhook-world.ts'

const URL_A = 'https://a.example.com'
const NOW = new Date('2026-11-20T12:00:00.000Z')
const EARLIER = '2026-11-20T09:00:00.000Z'

test('the list of webhooks shows their health, conditions, and waiting deliveries', async (t) => {
  const db = await openTestDatabase(t)
  const [, failing, paused] = await haveWebhooks(
    db,
    { name: 'off', url: URL_A, enabled: false, fire_on: {} },
    { name: 'failing', url: URL_A },
    { name: 'paused', url: URL_A, fire_on: { email: 'a@example.com' } },
    { name: 'on', url: URL_A, fire_on: { email: 'b@example.com' } },
  )
  await pauseWebhook(db, paused?.id ?? 0, { now: NOW })
  await db
    .updateTable('form_webhooks')
    .set({ failing_since: EARLIER })
    .where('id', '=', failing?.id ?? 0)
    .execute()
  await submit(db)
  await db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: EARLIER })
    .where('webhook_id', '=', failing?.id ?? 0)
    .execute()
  await submit(db)
  const overviews = await listWebhookOverviews(db)
  assert.deepEqual(
    overviews.map(({ name, health, hasConditions, waiting, lastDelivery }) => [
      ...[name, health, hasConditions, waiting],
      lastDelivery?.status,
    ]),
    [
      ['off', 'off', false, 0, undefined],
      ['failing', 'failing', false, 2, 'pending'],
      ['paused', 'paused', true, 2, 'pending'],
      ['on', 'on', true, 0, 'skipped'],
    ],
  )
  assert.equal(overviews[1]?.dueSince, EARLIER)
  assert.deepEqual(overviews[1]?.form, { slug: 'waitlist', name: 'Waitlist' })
  const ofFailing = db.selectFrom('webhook_deliveries').where('webhook_id', '=', failing?.id ?? 0)
  const ids = await ofFailing.select('id').orderBy('id', 'desc').execute()
  assert.deepEqual([overviews[1]?.lastDelivery?.id, ids.length], [ids[0]?.id, 2])
  assert.deepEqual(await countWaitingDeliveries(db), { count: 4, dueSince: EARLIER })
  const other = await storeForm(db, 'quote')
  assert.deepEqual(await listWebhookOverviews(db, { formId: other.id }), [])
})

test('the menu of webhooks has those of the forms in scope', async (t) => {
  const db = await openTestDatabase(t)
  const quote = await storeForm(db, 'quote', { name: 'Quote' })
  const [waitlist] = await haveWebhooks(db, { name: 'a', url: URL_A })
  const ofQuote = { id: await storeWebhook(db, quote.id), form: { id: quote.id, name: 'Quote' } }
  const idsOf = async (forms: number[] | null) =>
    (await listWebhookNames(db, { forms })).map(({ id, form }) => ({ id, form }))
  const ofWaitlist = { id: waitlist?.id, form: { id: FORM_ID, name: 'Waitlist' } }
  assert.deepEqual(await idsOf(null), [ofQuote, ofWaitlist])
  assert.deepEqual(await idsOf([quote.id]), [ofQuote])
  assert.deepEqual(await idsOf([quote.id, FORM_ID]), [ofQuote, ofWaitlist])
  assert.deepEqual(await idsOf([]), [])
})

test('the webhooks whose conditions name a place are found by its whole slug', async (t) => {
  const db = await openTestDatabase(t)
  const in_ = (value: string | string[]) => ({ fire_on: { field: 'meta.location_slug', op: 'in', value } })
  const [, many, one] = await haveWebhooks(
    db,
    { name: 'none', url: URL_A },
    { name: 'many', url: URL_A, ...in_(['dallas', 'austin']) },
    { name: 'one', url: URL_A, ...in_(['austin']) },
    { name: 'longer', url: URL_A, ...in_(['austin-north']) },
  )
  const expected = [many, one].map((webhook) => ({
    id: webhook?.id,
    name: webhook?.name,
    formSlug: 'waitlist',
  }))
  assert.deepEqual(await listWebhooksNaming(db, 'austin'), expected)
  assert.deepEqual(await listWebhooksNaming(db, 'houston'), [])
})

test('deleted webhooks come back as they were, under their IDs, without their days of failure', async (t) => {
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { name: 'a', url: URL_A, signing_secret: 'hush' }, { name: 'b', url: URL_A })
  const other = await storeForm(db, 'quote')
  await storeWebhook(db, other.id)
  const rows = await readWebhookRows(db, FORM_ID)
  assert.deepEqual(
    rows.map(({ name, form_id }) => [name, form_id]),
    [
      ['a', FORM_ID],
      ['b', FORM_ID],
    ],
  )
  await db.deleteFrom('form_webhooks').where('form_id', '=', FORM_ID).execute()
  await putWebhookRowsBack(db, [])
  await putWebhookRowsBack(
    db,
    rows.map((row) => ({ ...row, failing_since: EARLIER })),
  )
  assert.deepEqual(await readWebhookRows(db, FORM_ID), rows)
})

test('the webhooks that need attention say since when they fail, and why they are off', async (t) => {
  const db = await openTestDatabase(t)
  const [off, failing] = await haveWebhooks(
    db,
    { name: 'off', url: URL_A },
    { name: 'failing', url: URL_A },
    { name: 'on', url: URL_A },
    { name: 'off by hand', url: URL_A, enabled: false },
  )
  await db.updateTable('form_webhooks').set({ failing_since: EARLIER }).where('name', 'like', '%f%').execute()
  await db.updateTable('form_webhooks').set({ failing_since: null }).where('name', '=', 'off').execute()
  await disableWebhook(db, off?.id ?? 0, { now: NOW, reason: { code: 'gone' } })
  const ofForm = { formSlug: 'waitlist', formName: 'Waitlist' }
  assert.deepEqual(await listFailingWebhooks(db), [
    { id: off?.id, name: 'off', failingSince: null, ...ofForm, disabledReason: { code: 'gone' } },
    { id: failing?.id, name: 'failing', failingSince: EARLIER, ...ofForm, disabledReason: null },
  ])
})

test('attempts are counted by day, outcome, and duration between two IDs', async (t) => {
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { url: URL_A })
  await submit(db)
  const { id: delivery_id } = await db.selectFrom('webhook_deliveries').select('id').executeTakeFirstOrThrow()
  const attempt = { delivery_id, request_method: 'POST', request_url: URL_A, started_at: EARLIER }
  const durations = [50, 51, 5_001, 60_000]
  for (const [index, duration_ms] of durations.entries())
    await db
      .insertInto('delivery_attempts')
      .values({
        ...attempt,
        attempt_number: index + 1,
        duration_ms,
        failure_kind: index < 2 ? null : 'timeout',
      })
      .execute()
  const count = async (range: { afterId: number; upToId?: number }) =>
    (await countAttemptsByDay(db, range, 'UTC')).map(({ day, outcome, withinMs, count }) =>
      [day, outcome, withinMs, count].join(' '),
    )
  const counts = ['2026-11-20 delivered 50 1', '2026-11-20 delivered 100 1', '2026-11-20 failed 15000 2']
  assert.deepEqual((await count({ afterId: 0 })).sort(), counts.toSorted())
  assert.deepEqual(await count({ afterId: 1, upToId: 2 }), [counts[1]])
})
