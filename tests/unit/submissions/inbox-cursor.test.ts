import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCursor, parseCursor } from '#src/submissions/inbox/inbox-filter.ts'

test('an inbox cursor reads back as written, and anything else is refused', () => {
  for (const direction of ['older', 'newer'] as const) {
    const cursor = { direction, submittedAt: '2026-11-20T10:00:00.000Z', id: 7 }
    assert.deepEqual(parseCursor(formatCursor(cursor)), cursor)
  }
  for (const text of [
    null,
    '',
    'older',
    'other~2026~7',
    'older~2026~',
    'older~~7',
    'older~2026~x',
    'older~20~26~7',
  ])
    assert.equal(parseCursor(text), undefined, String(text))
  for (const text of ['xolder~2026~7', 'older~2026~7x', `older~${'2'.repeat(41)}~7`, 'older~a\0~7'])
    assert.equal(parseCursor(text), undefined, text)
  assert.equal(parseCursor(`older~${'2'.repeat(40)}~${'7'.repeat(15)}`)?.id, 777_777_777_777_777)
  assert.equal(parseCursor(`older~2026~${'7'.repeat(16)}`), undefined)
})
