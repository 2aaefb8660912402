import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPasswordMistake } from '../../../src/auth/password-rules.ts'

const REFUSED = [
  ...['short', 'elevenchars', '', 'x'.repeat(129)],
  ...['password1234', 'Password123!', 'P@ssw0rd2026', 'passwordpassword', 'administrator1', 'Adm1n1str4tor'],
  ...[
    '123456789012',
    '111111111111',
    'aaaaaaaaaaaa',
    'abcdefghijkl',
    'qwertyuiop123',
    '1q2w3e4r5t6y'.slice(0, 11),
  ],
  ...[
    'qwerty123456',
    'letmein12345',
    'Welcome2026!',
    'iloveyou2026',
    'qazwsxedcrfv',
    'abcabcabcabc',
    'signpost1234',
  ],
  ...['annexample123', 'Ann@Example.com1', 'Summer2026!!', '987654321098'],
]
const TAKEN = [
  'correct horse battery',
  'tangerine ladder fog',
  'xK9#mq2Lw8zT',
  'Wir gehen heute schwimmen',
  'äöüßéèêçñ你好世界',
]

test('passwords have 12 to 128 characters, and those that are guessed first are refused', () => {
  for (const password of REFUSED) {
    assert.ok(findPasswordMistake(password, ['ann@example.com', 'Ann Example']), password)
  }
  for (const password of TAKEN) {
    assert.equal(findPasswordMistake(password, ['ann@example.com', 'Ann Example']), undefined, password)
  }
})
