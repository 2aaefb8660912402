import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWebhook, toWebhookDefinition } from '#src/webhooks/definition/webhook-store.ts'
import { judgeToday } from '#src/webhooks/replays/judge-today.ts'
import { previewWebhook } from '#src/webhooks/trials/preview-webhook.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aDesk, assertStored, storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'

const SITE = { siteUrl: 'https://www.example.com' }

test('contract §8: a fallback webhook fires only when no other webhook of the form fires', async (t) => {
  const db = await openTestDatabase(t)
  const { id: formId } = await storeForm(db, 'quote', {
    fields: [{ name: 'size', label: 'Size', type: 'text' }],
  })
  const large = await storeWebhook(db, formId, { fireOn: { size: 'large' } })
  await storeWebhook(db, formId, { isEnabled: false })
  const rest = await storeWebhook(db, formId, { fireOn: { fallback: true } })
  const desk = aDesk(db)
  const taken = assertStored(await desk.accept('quote', { size: 'large' }))
  const left = assertStored(await desk.accept('quote', { size: 'small' }))
  const deliveries = await db
    .selectFrom('webhook_deliveries')
    .select(['submission_id', 'webhook_id', 'status', 'outcome_code'])
    .orderBy('id')
    .execute()
  assert.deepEqual(
    deliveries.map((row) => [row.submission_id, row.webhook_id, row.status, row.outcome_code]),
    [
      [taken.id, large, 'pending', null],
      [taken.id, rest, 'skipped', 'fallback_unused'],
      [left.id, large, 'skipped', 'rule_failed'],
      [left.id, rest, 'pending', null],
    ],
  )
  const webhook = await findWebhook(db, rest)
  assert.ok(webhook)
  assert.deepEqual([webhook.fallback, webhook.fireOn, webhook.unreadable], [true, null, {}])
  assert.equal((await judgeToday(db, webhook, taken.id, SITE))?.fires, false)
  assert.equal((await judgeToday(db, webhook, left.id, SITE))?.fires, true)
  const preview = await previewWebhook(db, toWebhookDefinition(webhook), taken.id, {
    ...SITE,
    stored: webhook,
  })
  assert.ok(preview.kind === 'preview' && !preview.fires)
  assert.equal(preview.reason?.code, 'fallback_unused')
})
