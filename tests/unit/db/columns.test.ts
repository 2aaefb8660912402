import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromRow, toRow } from '#src/db/tables/columns.ts'
import { readSourceColumn } from '#src/db/tables/submission-source.ts'

test('a row has the program’s names and booleans, and becomes the same row again', () => {
  const row = {
    id: 7,
    next_attempt_at: null,
    is_spam: 1,
    has_two_parts: 0,
    this_is_text: 'a',
    history: 1,
  } as const
  const values = {
    id: 7,
    nextAttemptAt: null,
    isSpam: true,
    hasTwoParts: false,
    thisIsText: 'a',
    history: 1,
  } as const
  assert.deepEqual(fromRow(row), values)
  assert.deepEqual(toRow(values), row)
})

test('the source of a lead is read as stored, and an unknown one is left out', () => {
  const source = {
    first: { at: '2026-11-20T10:00:00.000Z', utm_source: 'news' },
    last: { gclid: 'abc' },
    pages: ['/', '/contact/'],
  }
  assert.deepEqual(readSourceColumn(JSON.stringify(source)), source)
  assert.deepEqual(readSourceColumn('{"optedOut":true}'), { optedOut: true })
  for (const text of [
    null,
    '',
    'no JSON',
    '[]',
    '{"pages":"/"}',
    '{"first":{"unknown":"a"}}',
    '{"optedOut":1}',
  ])
    assert.equal(readSourceColumn(text), null, `${text}`)
})
