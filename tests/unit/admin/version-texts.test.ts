import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeSaver } from '#src/admin/versions/describe-version.ts'
import { diffTexts } from '#src/admin/versions/diff-texts.ts'
import { NO_LIMITS } from '#src/auth/roles/role.ts'

test('a version names who or what saved it', () => {
  const administrator = { email: 'ann@example.com', limits: NO_LIMITS }
  const by = (source: 'file' | 'unknown' | 'admin' | 'restored', savedBy: string | null) =>
    describeSaver({ locals: { administrator } } as never, { source, savedBy } as never)
  assert.deepEqual(
    [by('file', null), by('unknown', null), by('admin', null), by('admin', 'ben@example.com')],
    ['Content files', 'Automatic', 'Unknown', 'ben@example.com'],
  )
  assert.equal(by('restored', 'ben@example.com'), 'ben@example.com (restored)')
})

test('words that differ are shown in long texts only', () => {
  const long = 'We repair every kind of air conditioner in the whole city of Austin.'
  assert.equal(diffTexts('We repair', 'We fix'), undefined)
  assert.deepEqual([diffTexts('', long), diffTexts(long, '')], [undefined, undefined])
  assert.ok(diffTexts('We repair', long) && diffTexts(long, 'We repair'))
  assert.deepEqual(diffTexts(long, long.replace('repair', 'fix')), [
    { change: 'same', text: 'We ' },
    { change: 'removed', text: 'repair' },
    { change: 'added', text: 'fix' },
    { change: 'same', text: long.slice(long.indexOf(' every')) },
  ])
  // With nothing in common, each is read by itself.
  const words = (start: string) => Array.from({ length: 1_010 }, (_, at) => `${start}${at}`).join(' ')
  assert.equal(diffTexts(words('a'), words('b')), undefined)
})
