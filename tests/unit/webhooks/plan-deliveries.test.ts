import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTHING_RENAMED } from '#src/conditions/condition-slugs.ts'
import { submissionMeta } from '#src/webhooks/body/submission-meta.ts'
import type { Webhook } from '#src/webhooks/definition/webhook.ts'
import { webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'
import { toDraftWebhook } from '#src/webhooks/definition/webhook-store.ts'
import { judgeWebhook, planDeliveries } from '#src/webhooks/deliveries/plan-deliveries.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const AT = NOW.toISOString()

function aWebhook(id: number, values: object = {}): Webhook {
  const definition = webhookDefinition.parse({ name: `Hook ${id}`, url: 'https://a.example.com', ...values })
  return { ...toDraftWebhook(definition, { formId: 3 }), id }
}

const OWNER = { fire_on: { role: 'owner' } }
const AGENCY = { fire_on: { role: 'agency' } }
const FALLBACK = { fallback: true }

const SUBJECT = {
  answers: { role: 'owner' },
  meta: submissionMeta(
    {
      ...{ id: 7, submittedAt: AT, pagePath: null, serviceSlug: null, serviceName: null },
      ...{ locationSlug: null, locationName: null, locationPath: null },
      form: { id: 3, slug: 'quote', name: 'Quote' },
    },
    { siteUrl: 'https://www.example.com' },
  ),
  renamed: NOTHING_RENAMED,
}

/** The webhooks that fire, and those that are skipped with the code of the reason. */
const plan = (...webhooks: Webhook[]) =>
  planDeliveries(webhooks, SUBJECT, { now: NOW }).map(({ webhookId, status, reason }) => [
    webhookId,
    reason?.code ?? status,
  ])

test('§6.1 a webhook that fires has a delivery that is due at once; one that does not, a skipped one', () => {
  const [due, skipped] = planDeliveries([aWebhook(1, OWNER), aWebhook(2, AGENCY)], SUBJECT, { now: NOW })
  const both = { submissionId: 7, formId: 3, createdAt: AT }
  const dueAtOnce = { status: 'pending', nextAttemptAt: AT, reason: null, finishedAt: null }
  assert.deepEqual(due, { ...both, ...dueAtOnce, webhookId: 1 })
  const { reason, ...rest } = skipped ?? {}
  assert.equal(reason?.code, 'rule_failed')
  assert.deepEqual(rest, { ...both, webhookId: 2, status: 'skipped', nextAttemptAt: null, finishedAt: AT })
})

test('§6.1 a webhook that is off has no delivery, and takes no lead from the fallback', () => {
  assert.deepEqual(plan(aWebhook(1, { enabled: false }), aWebhook(2, FALLBACK)), [[2, 'pending']])
})

test('contract §8: a fallback fires only when no other webhook of the form does', () => {
  const fallbacks = [aWebhook(8, FALLBACK), aWebhook(9, FALLBACK)]
  assert.deepEqual(plan(...fallbacks, aWebhook(1, OWNER)), [
    [8, 'fallback_unused'],
    [9, 'fallback_unused'],
    [1, 'pending'],
  ])
  assert.deepEqual(plan(...fallbacks, aWebhook(1, AGENCY)), [
    [8, 'pending'],
    [9, 'pending'],
    [1, 'rule_failed'],
  ])
  assert.deepEqual(plan(...fallbacks), [
    [8, 'pending'],
    [9, 'pending'],
  ])
})

test('contract §6: an unreadable condition doesn’t fire and leaves the lead to the fallback', () => {
  const broken = { ...aWebhook(1), unreadable: { fireOn: 'no JSON' } }
  const planned = planDeliveries([broken, aWebhook(2, FALLBACK)], SUBJECT, { now: NOW })
  assert.deepEqual(
    planned.map(({ status, reason }) => [status, reason]),
    [
      ['skipped', { code: 'condition_unreadable', params: { problem: 'no JSON' } }],
      ['pending', null],
    ],
  )
})

test('contract §6: a condition may refer to its own webhook', () => {
  const condition = (value: string) => ({ fire_on: { 'meta.webhook_name': value } })
  assert.deepEqual(plan(aWebhook(1, condition('Hook 1')), aWebhook(2, condition('Hook 1'))), [
    [1, 'pending'],
    [2, 'rule_failed'],
  ])
})

test('a webhook is matched beside the others of its form, whether on or off', () => {
  const fires = (webhook: Webhook, ...others: Webhook[]) =>
    judgeWebhook(webhook, [webhook, ...others], SUBJECT).fires
  const off = { enabled: false }
  assert.equal(fires(aWebhook(1, { ...OWNER, ...off })), true)
  assert.equal(fires(aWebhook(1, AGENCY)), false)
  assert.equal(fires(aWebhook(1, FALLBACK), aWebhook(2, OWNER)), false)
  assert.equal(fires(aWebhook(1, FALLBACK), aWebhook(2, { ...OWNER, ...off })), true)
  // As it is edited, not as it is stored.
  const stored = aWebhook(1, OWNER)
  assert.equal(judgeWebhook(aWebhook(1, FALLBACK), [stored], SUBJECT).fires, true)
})
