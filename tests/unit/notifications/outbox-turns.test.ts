import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loggedFailure } from '#src/notifications/logged-failure.ts'
import { pauseUntil, waitAtMost } from '#src/notifications/outbox-turns.ts'
import { deliverReply } from '#src/notifications/replies/deliver-reply.ts'
import { limitKeyOf } from '#src/notifications/replies/plan-reply.ts'
import type { MailOutcome } from '#src/notifications/send-mail.ts'
import { aMailLook } from '../../support/mail-look.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')

test('the next turn starts when the next email is due, at most a second later', () => {
  for (const [next, expected] of [
    [undefined, 1_000],
    ['2026-11-20T09:59:00.000Z', 0],
    ['2026-11-20T10:00:00.000Z', 0],
    ['2026-11-20T10:00:00.300Z', 300],
    ['2026-11-20T10:00:01.000Z', 1_000],
    ['2026-11-20T10:01:00.000Z', 1_000],
  ] as const)
    assert.equal(pauseUntil(next, NOW), expected, String(next))
})

test('a wait ends with the work or at its limit, and only the limit is reported', async () => {
  let late = 0
  await waitAtMost(Promise.resolve(), { withinMs: 1, onLate: () => late++ })
  await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(late, 0)
  const never = new Promise<void>(() => {})
  await waitAtMost(never, { withinMs: 1, onLate: () => late++ })
  assert.equal(late, 1)
  await waitAtMost(never, { withinMs: 1 })
})

test('the log keeps the code of a failure, and hides addresses', () => {
  for (const [message, logged] of [
    ['Message failed: 550 5.1.1 <ann@example.com>: unknown', 'Message failed: 550 5.1.1'],
    ['451 Ann’s subject', '451'],
    ['connect ECONNREFUSED 127.0.0.1:25', 'connect ECONNREFUSED 127.0.0.1:25'],
    ['no mailbox <ann@example.com>, or bob@example.com', 'no mailbox <[address]>, or [address]'],
  ] as const)
    assert.equal(loggedFailure(message), logged)
})

test('the address of a limit ignores what its owner can vary', () => {
  for (const [address, key] of [
    ['A.n.n+x+y@Example.com', 'ann@example.com'],
    ['ann@googlemail.com', 'ann@gmail.com'],
    ['ann@googlemail.com.example', 'ann@googlemail.com.example'],
    ['ann@mail.example.com', 'ann@mail.example.com'],
    ['ann@example.com', 'ann@example.com'],
    ['ａnn@example.com', 'ann@example.com'],
  ] as const)
    assert.equal(limitKeyOf(address), key)
})

const failed = (outcome: Partial<MailOutcome>): MailOutcome => ({
  ...{ kind: 'failed', message: '451 later', isFinal: false, isUncertain: false },
  ...(outcome as object),
})
const NEXT = '2026-11-20T11:00:00.000Z'
const AFTER: readonly [
  what: string,
  attempts: number,
  outcome: MailOutcome,
  expected: readonly [status: string, reason: string | null, next: string | undefined],
][] = [
  ['is sent', 6, { kind: 'sent', response: '250 ok' }, ['sent', null, undefined]],
  ['is deferred', 0, failed({}), ['pending', null, NEXT]],
  ['is deferred for the sixth time', 5, failed({}), ['pending', null, NEXT]],
  ['is deferred for the seventh time', 6, failed({}), ['failed', 'attempts_failed', undefined]],
  ['is refused', 0, failed({ isFinal: true }), ['failed', 'refused', undefined]],
  ['may have arrived', 0, failed({ isUncertain: true }), ['failed', 'uncertain', undefined]],
]

for (const [what, attemptCount, outcome, expected] of AFTER) {
  test(`a reply that ${what} is ${expected[0]}`, async () => {
    const reply = { id: 3, submissionId: 7, formId: 1, recipient: 'ann@example.com', attemptCount }
    const sent: unknown[] = []
    const state = await deliverReply(
      { ...reply, leaseExpiresAt: NEXT, claim: 'mine' },
      {
        send: async ({ recipient, messageId, isReply }) => {
          sent.push([recipient, messageId, isReply])
          return outcome
        },
        describe: async () => ({
          ...{ subject: 'Thank you', text: 'Thank you.', replyTo: undefined, look: aMailLook() },
          ...{ language: 'en', filledFrom: { answers: {}, meta: {}, choices: new Map() } as never },
        }),
        retryAt: (attempt, now) => new Date(now.getTime() + (attempt === attemptCount + 1 ? 3_600_000 : 0)),
        messageHost: 'www.example.com',
        now: () => NOW,
      },
    )
    assert.deepEqual(sent, [['ann@example.com', 'reply-3.7@www.example.com', true]])
    assert.deepEqual([state.status, state.reason, state.nextAttemptAt?.toISOString()], expected)
    assert.equal(state.attemptCount, attemptCount + 1)
    assert.equal(state.finishedAt, expected[0] === 'pending' ? null : NOW)
    const isSent = outcome.kind === 'sent'
    assert.deepEqual([state.response, state.lastError], isSent ? ['250 ok', null] : [null, '451 later'])
  })
}
