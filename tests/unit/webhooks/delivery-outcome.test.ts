import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Webhook } from '#src/webhooks/definition/webhook.ts'
import type { DeliveryJob } from '#src/webhooks/deliveries/delivery.ts'
import { isGone, stateAfter } from '#src/webhooks/dispatching/delivery-outcome.ts'
import type { Attempt } from '#src/webhooks/sending/send-attempt.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const DETAILS = { startedAt: NOW, durationMs: 1, responseBody: null, responseHeaders: null }
const DELIVERED: Attempt = { ...DETAILS, kind: 'delivered', status: 204 }

const failed = (status: number | null, headers: Record<string, string> | null = null): Attempt =>
  ({
    ...{ ...DETAILS, kind: 'failed', failureKind: 'status', message: `HTTP ${status}`, status },
    responseHeaders: headers,
  }) as Attempt

/** The state after an attempt of a webhook with two retries that follow after 5 and 300 seconds. */
function after(attempt: Attempt, job: Partial<DeliveryJob> = {}) {
  return stateAfter(
    {
      job: { attemptCount: 0, isTest: false, ...job } as DeliveryJob,
      webhook: { maxRetries: 2 } as Webhook,
    },
    attempt,
    { now: NOW, random: () => 0.5, retryScheduleMs: [5_000, 300_000] },
  )
}

const ended = { nextAttemptAt: null, finishedAt: NOW }
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000)

test('§6.3 a successful attempt ends the delivery, even the last one or a test’s', () => {
  for (const [attemptCount, isTest] of [
    [0, false],
    [2, false],
    [0, true],
  ] as const)
    assert.deepEqual(after(DELIVERED, { attemptCount, isTest }), {
      ...{ ...ended, status: 'delivered', reason: null },
      attemptCount: attemptCount + 1,
    })
})

test('§6.3 a failed attempt is retried until the retries are used up', () => {
  const pending = { status: 'pending', reason: null, finishedAt: null }
  assert.deepEqual(after(failed(500)), { ...pending, attemptCount: 1, nextAttemptAt: inSeconds(5) })
  assert.deepEqual(after(failed(null), { attemptCount: 1 }), {
    ...{ ...pending, attemptCount: 2 },
    nextAttemptAt: inSeconds(300),
  })
  assert.deepEqual(after(failed(500), { attemptCount: 2 }), {
    ...{ ...ended, status: 'failed', attemptCount: 3 },
    reason: { code: 'attempts_failed', params: { attempts: 3, message: 'HTTP 500' } },
  })
})

test('contract §6: a receiver that asks for more time gets it', () => {
  const { nextAttemptAt } = after(failed(429, { 'retry-after': '900' }))
  assert.ok(nextAttemptAt && nextAttemptAt >= inSeconds(900), String(nextAttemptAt))
})

test('contract §6: 410 ends a delivery at once; a test has one attempt and doesn’t disable the webhook on 410', () => {
  assert.deepEqual(after(failed(410)), {
    ...{ ...ended, status: 'failed', attemptCount: 1 },
    reason: { code: 'gone' },
  })
  for (const status of [500, 410])
    assert.deepEqual(after(failed(status), { isTest: true }), {
      ...{ ...ended, status: 'failed', attemptCount: 1 },
      reason: { code: 'test_failed', params: { message: `HTTP ${status}` } },
    })
  assert.deepEqual([failed(410), failed(404), failed(null), DELIVERED].map(isGone), [
    ...[true, false, false, false],
  ])
})
