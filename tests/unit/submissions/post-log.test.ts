import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPostLog } from '#src/submissions/limits/post-log.ts'

const TWO_PER_MINUTE = [{ count: 2, windowMs: 60_000 }]

test('contract §2 a limit holds for every window, and says when the next place is free', () => {
  const log = createPostLog(TWO_PER_MINUTE)
  log.add('ada', 1_000)
  assert.equal(log.waitMs('ada', 50_000), 0)
  log.add('ada', 50_000)
  assert.equal(log.waitMs('ada', 60_000), 1_000)
  assert.equal(log.waitMs('ada', 61_000), 0)
  log.add('ada', 61_000)
  assert.equal(log.waitMs('ada', 62_000), 48_000)
  assert.equal(log.waitMs('eve', 62_000), 0)
})

test('contract §2 of several limits the longest wait counts', () => {
  const log = createPostLog([...TWO_PER_MINUTE, { count: 3, windowMs: 3_600_000 }])
  for (const time of [0, 100_000, 200_000]) log.add('ada', time)
  assert.equal(log.waitMs('ada', 300_000), 3_300_000)
})

test('a place that is given back is free again', () => {
  const log = createPostLog(TWO_PER_MINUTE)
  log.add('ada', 1_000)
  log.add('ada', 2_000)
  log.remove('ada', 2_000)
  assert.equal(log.waitMs('ada', 3_000), 0)
})

test('a clock that is set back makes nobody wait longer than the window', () => {
  const log = createPostLog([{ count: 1, windowMs: 60_000 }])
  log.add('ada', 10_000_000)
  assert.equal(log.waitMs('ada', 0), 60_000)
  assert.equal(log.waitMs('ada', 59_000), 1_000)
  assert.equal(log.waitMs('ada', 60_000), 0)
})

test('senders of long ago are forgotten', () => {
  const log = createPostLog(TWO_PER_MINUTE)
  for (let sender = 0; sender < 10_000; sender += 1) log.add(`${sender}`, 0)
  assert.equal(log.size(), 10_000)
  log.add('late', 120_000)
  assert.equal(log.size(), 1)
})
