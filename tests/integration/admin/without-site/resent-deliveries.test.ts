import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { replayByHand } from '#src/admin/deliveries/replay-by-hand.ts'
import { webhookVersion } from '#src/webhooks/definition/edit-webhook.ts'
import { anAdminPage, answerOf } from '../../../support/admin-page.ts'
import { haveWebhooks, listDeliveries, submit } from '../../webhooks/webhook-world.ts'

const WEBHOOK = { name: 'Office', url: 'https://a.example/in' }
const OWNERS = { all: [{ field: 'role', op: 'eq', value: 'owner' }] }

/** A delivered lead, and the buttons that resend it. */
async function aDelivery(t: TestContext) {
  const page = await anAdminPage(t)
  const { db, open } = page
  const [webhook] = await haveWebhooks(db, WEBHOOK)
  assert.ok(webhook)
  await submit(db)
  const [delivery] = await listDeliveries(db)
  const id = delivery?.id ?? 0
  const ended = { status: 'delivered', finished_at: '2026-11-20T10:01:00.000Z' } as const
  await db
    .updateTable('webhook_deliveries')
    .set({ ...ended, message_id: 'msg_1', attempt_count: 1 })
    .execute()
  await db.insertInto('delivery_bodies').values({ delivery_id: id, body: '{}' }).execute()
  const resend = async (posted: Record<string, string | string[]> = {}, of = id) =>
    answerOf(await replayByHand(open(`/admin/deliveries/${of}/replay`), of, posted))
  /** Gives the webhook conditions that the lead doesn't match. */
  const narrow = async () => {
    const fireOn = JSON.stringify(OWNERS)
    await db.updateTable('form_webhooks').set({ fire_on_json: fireOn }).where('id', '=', webhook.id).execute()
    return webhookVersion({ ...webhook, fireOn: OWNERS as never })
  }
  return { ...page, id, resend, narrow, deliveries: () => listDeliveries(db) }
}

test('a resent delivery is recorded, and shown unless the user came from elsewhere', async (t) => {
  const { id, resend, deliveries, message, activity, woken } = await aDelivery(t)
  assert.equal(await resend(), `303 /admin/deliveries/${id + 1}`)
  assert.equal(message()?.kind, 'success')
  const [entry] = await activity()
  assert.deepEqual([entry?.action, entry?.subjectId], ['delivery.replayed', `${id}`])
  assert.match(entry?.summary ?? '', new RegExp(`${id} as ${id + 1}$`))
  assert.deepEqual(woken, ['dispatcher'])
  assert.equal(await resend({ next: '/admin/inbox/1' }), '303 /admin/inbox/1')
  assert.equal(await resend({ next: 'https://evil.example' }), '303 /admin')
  assert.equal(await resend({ next: ['/admin/inbox/1'] }), `303 /admin/deliveries/${id + 4}`)
  const sent = (await deliveries()).map(({ message_id, body }) => `${message_id} ${body}`)
  assert.deepEqual(sent, Array(5).fill('msg_1 {}'))
})

test('a delivery that is rendered again has a new ID', async (t) => {
  const { resend, deliveries } = await aDelivery(t)
  await resend({ mode: 'render_again' })
  await resend({ mode: 'other' })
  const [first, again, same] = (await deliveries()).map(({ message_id }) => message_id)
  assert.notEqual(again, first)
  assert.equal(same, first)
})

test('a lead that doesn’t match the conditions is sent only after a question', async (t) => {
  const { id, resend, narrow, deliveries, activity } = await aDelivery(t)
  const version = await narrow()
  const question = `303 /admin/deliveries/${id}/replay`
  assert.equal(await resend(), `${question}?mode=same_bytes`)
  const back = { mode: 'render_again', next: '/admin/inbox/1' }
  assert.equal(await resend(back), `${question}?mode=render_again&next=%2Fadmin%2Finbox%2F1`)
  // The webhook was changed since the question.
  assert.equal(await resend({ confirmed: 'former' }), `${question}?mode=same_bytes`)
  assert.deepEqual([(await deliveries()).length, await activity()], [1, []])
  assert.equal(await resend({ confirmed: version }), `303 /admin/deliveries/${id + 1}`)
  const [entry] = await activity()
  assert.match(entry?.summary ?? '', /even though/)
})

test('a delivery that can’t be resent says why', async (t) => {
  const { id, resend, message, deliveries, activity } = await aDelivery(t)
  await resend()
  message()
  assert.equal(await resend({}, id + 1), `303 /admin/deliveries/${id + 1}`)
  const refused = message()
  assert.equal(refused?.kind, 'error')
  assert.match(refused?.text ?? '', /\w/)
  assert.equal(await resend({ next: '/admin/inbox/1' }, id + 1), '303 /admin/inbox/1')
  assert.equal(await resend({}, 9_999), '404')
  assert.deepEqual([(await deliveries()).length, (await activity()).length], [2, 1])
})
