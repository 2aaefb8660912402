import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDisabledReason } from '#src/webhooks/reasons/disabled-reason.ts'
import { readReason } from '#src/webhooks/reasons/reason-columns.ts'
import { describeReplays, reasonOf } from '#src/webhooks/replays/describe-replays.ts'

test('an unknown reason of another version is shown as it is', () => {
  const row = { outcome_code: 'from_the_future', outcome_params_json: null, trace_json: null }
  assert.deepEqual(readReason(row), { code: 'other', params: { text: 'from_the_future' } })
})

for (const [code, text, reason] of [
  [null, null, null],
  ['gone', 'x', { code: 'gone' }],
  ['always_failing', null, { code: 'always_failing' }],
  ['other', 'the budget is used up', { code: 'other', params: { text: 'the budget is used up' } }],
  ['from_the_future', null, { code: 'other', params: { text: 'from_the_future' } }],
] as const) {
  test(`a webhook disabled with the code ${code} and the text ${text}`, () => {
    assert.deepEqual(readDisabledReason({ disabled_code: code, disabled_text: text }), reason)
  })
}

test('the outcome of resending is told by number', () => {
  assert.deepEqual(describeReplays([]), { message: 'No deliveries to resend in this period.', queued: 0 })
  assert.deepEqual(
    [1, 2].map((count) => reasonOf('unfinished', count)),
    ['is still pending', 'are still pending'],
  )
  const { message, queued } = describeReplays([
    { kind: 'unfinished' },
    { kind: 'queued', deliveryId: 1 },
    { kind: 'unfinished' },
  ])
  assert.equal(queued, 1)
  assert.ok(message.includes(reasonOf('unfinished', 2)), message)
})
