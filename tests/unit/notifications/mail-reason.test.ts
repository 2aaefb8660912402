import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMailReason } from '#src/notifications/mail-reason.ts'

test('a mail says why it was not sent by a code of today, or by the text of an earlier version', () => {
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
