import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatLocalTime, localInputOf, localTimeFormat, utcTextOf } from '#src/lib/locale/local-time.ts'

const NOON = '2026-07-20T12:00:00.000Z'

test('a time is written in the local format', () => {
  const written = (language: string, timeZone: string) => formatLocalTime(NOON, { language, timeZone })
  assert.equal(written('en-IE', 'Europe/Dublin'), 'Monday 20 July 2026 at 13:00 IST')
  assert.equal(written('ja', 'Asia/Tokyo'), '2026年7月20日月曜日 21:00 JST')
  assert.equal(formatLocalTime('yesterday', { language: 'en', timeZone: 'UTC' }), 'yesterday')
})

test('spreadsheets and inputs get parseable local times', () => {
  const inDublin = localTimeFormat('Europe/Dublin')
  assert.equal(inDublin(NOON), '2026-07-20 13:00:00')
  assert.equal(inDublin('2020-01-01 10:00:00'), '2020-01-01 10:00:00')
  assert.equal(inDublin('2020-07-01 10:00:00'), '2020-07-01 11:00:00')
  assert.equal(inDublin(''), '')
  assert.equal(localInputOf(NOON, 'America/Chicago'), '2026-07-20T07:00')
})

test('a local time is one instant, even when clocks change', () => {
  assert.equal(utcTextOf('2026-07-20T13:00', 'Europe/Dublin'), NOON)
  // Skipped, then passed twice.
  assert.equal(utcTextOf('2026-03-29T01:30', 'Europe/Dublin'), '2026-03-29T01:30:00.000Z')
  assert.equal(utcTextOf('2026-10-25T01:30', 'Europe/Dublin'), '2026-10-25T00:30:00.000Z')
  for (const text of ['', '2026-02-30T08:00', '2026-07-20', '2026-07-20T25:00', '2026-07-20T08:00Z'])
    assert.equal(utcTextOf(text, 'UTC'), undefined, text)
})
