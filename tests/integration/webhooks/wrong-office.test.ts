import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import type { Schema } from '#src/db/schema.ts'
import { describeReason } from '#src/messages/admin/webhooks/reasons.ts'
import { markNotSpam, markSpam } from '#src/submissions/inbox/mark-spam.ts'
import { webhookVersion } from '#src/webhooks/definition/edit-webhook.ts'
import { cancelDeliveries } from '#src/webhooks/deliveries/cancel-deliveries.ts'
import { replayDeliveries, replayDelivery, replayMatching } from '#src/webhooks/replays/replay-deliveries.ts'
import { sendTestDelivery } from '#src/webhooks/trials/send-test-delivery.ts'
import { openTestDatabase } from '../../support/database.ts'
import { reasonOf } from '../../support/deliveries.ts'
import { startReceiver } from '../../support/receiver.ts'
import {
  aDispatcher,
  haveWebhooks,
  listDeliveries,
  SITE_URL,
  settledDeliveries,
  submit,
} from './webhook-world.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const AGAIN = { mode: 'render_again', siteUrl: SITE_URL, now: NOW } as const
const SAME = { ...AGAIN, mode: 'same_bytes' } as const
const OKLAHOMA = { fire_on: { field: 'meta.location_slug', op: 'within', value: 'oklahoma' } }
const TEXAS = { fire_on: { field: 'meta.location_slug', op: 'within', value: 'texas' } }
const MISMATCH = 'the lead is from austin, texas; this webhook is for oklahoma'

/** The kinds of outcome, and how many deliveries there are now. */
async function outcomes(db: Kysely<Schema>, replays: Iterable<{ kind: string }>) {
  return [...[...replays].map(({ kind }) => kind), (await listDeliveries(db)).length]
}

test('a skipped lead is sent only after confirmation for the current webhook', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  const office = { name: 'Oklahoma', url: 'https://old.example.com', ...OKLAHOMA }
  const [before] = await haveWebhooks(db, office)
  await submit(db)
  const [skipped] = await listDeliveries(db)
  const id = skipped?.id ?? 0
  const refused = await replayDelivery(db, id, { ...AGAIN, scope: EVERY_LEAD })
  assert.ok(refused.kind === 'not_matching')
  assert.deepEqual(
    [refused.verdict.reason && describeReason(refused.verdict.reason), refused.verdict.locationName],
    [MISMATCH, 'Austin'],
  )
  assert.ok(before && webhookVersion(refused.webhook) === webhookVersion(before))
  const [moved] = await haveWebhooks(db, { ...office, url: receiver.url })
  const outdated = await replayDelivery(db, id, {
    scope: EVERY_LEAD,
    ...AGAIN,
    confirmed: webhookVersion(before),
  })
  assert.equal(outdated.kind, 'not_matching', 'the webhook goes elsewhere now')
  assert.equal((await listDeliveries(db)).length, 1)
  assert.ok(moved)
  const sent = await replayDelivery(db, id, { scope: EVERY_LEAD, ...AGAIN, confirmed: webhookVersion(moved) })
  assert.equal(sent.kind, 'queued')
  aDispatcher(t, db).dispatcher.start()
  assert.equal((await receiver.waitForRequests(1)).length, 1)
})

test('a skipped lead is sent without confirmation once it matches the conditions', async (t) => {
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { name: 'Office', url: 'https://a.example.com', ...OKLAHOMA })
  await submit(db)
  await haveWebhooks(db, { name: 'Office', url: 'https://a.example.com', ...TEXAS })
  const [skipped] = await listDeliveries(db)
  assert.equal((await replayDelivery(db, skipped?.id ?? 0, { ...AGAIN, scope: EVERY_LEAD })).kind, 'queued')
})

test('sent and canceled deliveries aren’t resent to a webhook that no longer matches', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 500)
  const [office] = await haveWebhooks(db, { name: 'Office', url: receiver.url, max_retries: 0, ...TEXAS })
  await submit(db)
  const { dispatcher } = aDispatcher(t, db)
  dispatcher.start()
  await settledDeliveries(db)
  await dispatcher.stop({ withinMs: 0 })
  await submit(db)
  await cancelDeliveries(db, { scope: EVERY_LEAD, webhookId: office?.id }, { now: NOW })
  const ids = (await listDeliveries(db)).map(({ id }) => id)
  await haveWebhooks(db, { name: 'Office', url: 'https://oklahoma.example.com', ...OKLAHOMA })
  for (const mode of [AGAIN, SAME]) {
    const [failed, cancelled] = [
      ...(await replayDeliveries(db, ids, { ...mode, scope: EVERY_LEAD })).values(),
    ]
    assert.equal(failed?.kind, 'not_matching', mode.mode)
    assert.notEqual(cancelled?.kind, 'queued', mode.mode)
  }
  assert.equal((await listDeliveries(db)).length, 2)
})

test('a time window resends matching deliveries and reports the others', async (t) => {
  const db = await openTestDatabase(t)
  const [office] = await haveWebhooks(db, { name: 'Office', url: 'https://a.example.com' })
  await submit(db, { answers: { role: 'owner' } })
  await submit(db, { answers: { role: 'agency' } })
  await cancelDeliveries(db, { scope: EVERY_LEAD, webhookId: office?.id }, { now: NOW })
  await haveWebhooks(db, { name: 'Office', url: 'https://a.example.com', fire_on: { role: 'owner' } })
  const replays = await replayMatching(db, { webhookId: office?.id }, { ...AGAIN, scope: EVERY_LEAD })
  assert.deepEqual(await outcomes(db, replays.values()), ['queued', 'not_matching', 3])
})

test('replaying a test of a stored lead ignores conditions', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  const submissionId = await submit(db)
  const [office] = await haveWebhooks(db, { url: receiver.url, ...OKLAHOMA })
  await sendTestDelivery(db, office?.id ?? 0, { submissionId, siteUrl: SITE_URL, now: NOW })
  aDispatcher(t, db).dispatcher.start()
  const [tested] = await settledDeliveries(db)
  assert.equal((await replayDelivery(db, tested?.id ?? 0, { ...SAME, scope: EVERY_LEAD })).kind, 'queued')
})

test('a lead marked as not spam goes only to currently matching webhooks', async (t) => {
  const db = await openTestDatabase(t)
  const receiver = await startReceiver(t, 200)
  const both = [
    { name: 'Office', url: receiver.url, ...TEXAS },
    { name: 'Archive', url: receiver.url },
  ]
  const [office, archive] = await haveWebhooks(db, ...both)
  const submissionId = await submit(db)
  await markSpam(db, submissionId, { scope: EVERY_LEAD, now: NOW })
  await haveWebhooks(db, { ...both[0], ...OKLAHOMA }, both[1] ?? {})
  await markNotSpam(db, submissionId, { scope: EVERY_LEAD, siteUrl: SITE_URL, sendsMail: false, now: NOW })
  aDispatcher(t, db).dispatcher.start()
  const deliveries = await settledDeliveries(db)
  assert.deepEqual(
    deliveries.map((row) => [row.webhook_id, row.status, reasonOf(row)]),
    [
      [office?.id, 'skipped', `Not sent: ${MISMATCH}`],
      [archive?.id, 'delivered', null],
    ],
  )
  assert.equal(receiver.requests.length, 1)
})
