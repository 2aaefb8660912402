import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMailReason } from '#src/notifications/mail-reason.ts'

test('an unsent email shows its reason from a code or an earlier version’s text', () => {
  for (const [outcome_code, last_error, reason] of [
    [null, 'deferred', null],
    ['spam', null, { code: 'spam' }],
    ['refused', '550 no', { code: 'refused' }],
    ['attempts_failed', '451 later', { code: 'attempts_failed' }],
    ['earlier', 'Gave up', { code: 'other', params: { text: 'Gave up' } }],
    ['earlier', null, { code: 'other', params: { text: 'earlier' } }],
  ] as const)
    assert.deepEqual(readMailReason({ outcome_code, last_error }), reason, String(outcome_code))
})
