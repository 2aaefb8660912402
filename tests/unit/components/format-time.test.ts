import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatBrief,
  formatDay,
  formatMoment,
  formatRecent,
  formatSchedule,
  formatShort,
  toUtcText,
} from '#src/admin/kit/format-time.ts'

test('a time is shown in its time zone with the zone’s name and the day', () => {
  assert.equal(formatMoment('2026-11-20T23:30:00.000Z', 'Asia/Tokyo'), 'Nov 21, 2026, 8:30 AM GMT+9')
  assert.equal(formatDay('2026-11-20T23:30:00.000Z', 'Asia/Tokyo'), 'Nov 21, 2026')
  assert.equal(formatMoment('2026-11-20T23:30:00.000Z', 'UTC'), 'Nov 20, 2026, 11:30 PM UTC')
  assert.equal(formatDay('2026-11-20T23:30:00.000Z', 'UTC'), 'Nov 20, 2026')
})

test('a time of today in its time zone is shown without the day', () => {
  const now = new Date('2026-11-20T23:40:00.000Z')
  const shown = (at: string) => [formatBrief(at, 'Asia/Tokyo', now), formatRecent(at, 'Asia/Tokyo', now)]
  assert.deepEqual(shown('2026-11-20T15:00:00.000Z'), ['12:00 AM', '12:00 AM GMT+9'])
  assert.deepEqual(shown('2026-11-20T14:59:00.000Z'), ['Nov 20', 'Nov 20, 2026, 11:59 PM GMT+9'])
  assert.deepEqual(shown('2025-11-20T14:59:00.000Z'), ['Nov 20, 2025', 'Nov 20, 2025, 11:59 PM GMT+9'])
  assert.deepEqual(shown('yesterday'), ['yesterday', 'yesterday'])
})

test('a table shows times without the zone, and the year only of another year', () => {
  const now = new Date('2026-12-31T20:00:00.000Z')
  const shown = (at: string, zone: string) => formatShort(at, zone, now)
  assert.equal(shown('2026-11-20T23:30:00.000Z', 'UTC'), 'Nov 20, 11:30 PM')
  assert.equal(shown('2026-11-20T23:30:00.000Z', 'Asia/Tokyo'), 'Nov 21, 2026, 8:30 AM')
  assert.equal(shown('2025-11-20T23:30:00.000Z', 'UTC'), 'Nov 20, 2025, 11:30 PM')
  assert.equal(shown('yesterday', 'UTC'), 'yesterday')
})

test('a button shows times with the zone, and the year only of another year', () => {
  const now = new Date('2026-12-31T20:00:00.000Z')
  const shown = (at: string, zone: string) => formatSchedule(at, zone, now)
  assert.equal(shown('2026-11-20T23:30:00.000Z', 'UTC'), 'Nov 20, 11:30 PM UTC')
  // It is 2027 there.
  assert.equal(shown('2026-12-31T23:30:00.000Z', 'Asia/Tokyo'), 'Jan 1, 8:30 AM GMT+9')
  assert.equal(shown('2026-11-20T23:30:00.000Z', 'Asia/Tokyo'), 'Nov 21, 2026, 8:30 AM GMT+9')
  assert.equal(shown('soon', 'UTC'), 'soon')
})

test('§2.4 a legacy submission’s time without a zone is UTC in any server time zone', (t) => {
  const zone = process.env.TZ
  t.after(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })
  process.env.TZ = 'America/Chicago'
  assert.equal(formatMoment('2024-03-31 23:30:00', 'UTC'), 'Mar 31, 2024, 11:30 PM UTC')
  assert.equal(formatDay('2024-03-31 23:30:00', 'UTC'), 'Mar 31, 2024')
  assert.equal(toUtcText('2024-03-31 23:30:00'), '2024-03-31T23:30:00.000Z')
})

test('§2.4 an invalid time is shown as is and doesn’t break the list', () => {
  for (const text of ['', 'yesterday', '2024-13-01 00:00:00']) {
    assert.equal(formatMoment(text, 'UTC'), text)
    assert.equal(formatDay(text, 'UTC'), text)
    assert.equal(toUtcText(text), undefined)
  }
})
