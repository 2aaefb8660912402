import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextAttemptAt, parseRetryAfter, type RetryMoment } from '#src/webhooks/dispatching/retry-schedule.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const HOUR_MS = 3_600_000
const SCHEDULE_MS = [5_000, 300_000, 30 * 60_000, 2 * HOUR_MS, 8 * HOUR_MS, 24 * HOUR_MS]

function delayAfter(
  attemptNumber: number,
  { random = () => 0.5, retryAfterMs = 0 }: Partial<RetryMoment> = {},
) {
  return (
    nextAttemptAt(SCHEDULE_MS, attemptNumber, { now: NOW, random, retryAfterMs }).getTime() - NOW.getTime()
  )
}

for (const [index, planned] of SCHEDULE_MS.entries()) {
  test(`§6.3 in 10,000 draws retry ${index + 1} follows after 0.8 to 1.2 times ${planned} ms, 24 h at most`, () => {
    const delays = Array.from({ length: 10_000 }, () => delayAfter(index + 1, { random: Math.random }))
    const longest = Math.min(planned * 1.2, 24 * HOUR_MS)
    assert.ok(delays.every((delay) => delay >= planned * 0.8 && delay <= longest))
    assert.ok(Math.min(...delays) < planned * 0.82, 'the lower end is reached')
    assert.ok(Math.max(...delays) > longest * 0.98, 'the upper end is reached')
  })
}

test('contract §2: the last delay repeats', () => {
  const schedule = [1_000, 2_000]
  const at = nextAttemptAt(schedule, 40, { now: NOW, random: () => 0.5 })
  assert.equal(at.getTime() - NOW.getTime(), 2_000)
})

test('contract §6: Retry-After lengthens a delay', () => {
  assert.equal(delayAfter(1, { retryAfterMs: 60_000 }), 60_000)
})

test('contract §6: Retry-After never shortens a delay', () => {
  assert.equal(delayAfter(2, { retryAfterMs: 1_000 }), 300_000)
})

test('contract §6: Retry-After is respected up to 24 h', () => {
  assert.equal(delayAfter(1, { retryAfterMs: Number.POSITIVE_INFINITY }), 24 * HOUR_MS)
})

const RETRY_AFTER: [string | undefined, number | undefined][] = [
  ['120', 120_000],
  ['0', 0],
  [' 7 ', 7_000],
  ['Fri, 20 Nov 2026 10:01:00 GMT', 60_000],
  ['Friday, 20-Nov-26 10:01:00 GMT', 60_000],
  ['Fri Nov 20 10:01:00 2026', 60_000],
  ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
  ['1.5', undefined],
  ['-3', undefined],
  ['soon', undefined],
  ['2026-11-20', undefined],
  ['', undefined],
  [undefined, undefined],
]

test('a Retry-After without a zone means GMT in any server time zone', (t) => {
  const { TZ } = process.env
  t.after(() => {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  })
  process.env.TZ = 'America/Chicago'
  assert.equal(parseRetryAfter('Fri Nov 20 10:01:00 2026', { now: NOW }), 60_000)
  assert.equal(parseRetryAfter('Fri, 20 Nov 2026 10:01:00 GMT', { now: NOW }), 60_000)
})

for (const [header, expected] of RETRY_AFTER) {
  test(`Retry-After: ${header} is ${expected} ms`, () => {
    assert.equal(parseRetryAfter(header, { now: NOW }), expected)
  })
}
