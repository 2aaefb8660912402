import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDay, formatMoment, toUtcText } from '#src/admin/kit/format-time.ts'

test('a moment is shown in a time zone with its name, and its day', () => {
  assert.equal(formatMoment('2026-11-20T23:30:00.000Z', 'Asia/Tokyo'), 'Nov 21, 2026, 8:30 AM GMT+9')
  assert.equal(formatDay('2026-11-20T23:30:00.000Z', 'Asia/Tokyo'), 'Nov 21, 2026')
  assert.equal(formatMoment('2026-11-20T23:30:00.000Z', 'UTC'), 'Nov 20, 2026, 11:30 PM UTC')
  assert.equal(formatDay('2026-11-20T23:30:00.000Z', 'UTC'), 'Nov 20, 2026')
})

test('§2.4 the time of a legacy submission is UTC also without a zone, wherever the server stands', (t) => {
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

test('§2.4 what is no time is shown as it is, so that one row does not take its list along', () => {
  for (const text of ['', 'yesterday', '2024-13-01 00:00:00']) {
    assert.equal(formatMoment(text, 'UTC'), text)
    assert.equal(formatDay(text, 'UTC'), text)
    assert.equal(toUtcText(text), undefined)
  }
})
