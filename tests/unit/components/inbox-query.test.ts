import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInboxQuery } from '../../../src/components/admin/inbox-query.ts'

test('the last day belongs to the time that is asked for, at the end of a month and of a leap year too', () => {
  const until = (day: string) => readInboxQuery(new URLSearchParams({ until: day }), []).filter.until
  assert.equal(until('2024-02-28'), '2024-02-29T00:00:00.000Z')
  assert.equal(until('2024-12-31'), '2025-01-01T00:00:00.000Z')
  assert.equal(until('2024-13-01'), undefined)
})
