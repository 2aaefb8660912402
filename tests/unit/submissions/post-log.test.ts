import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPostLog } from '#src/submissions/limits/post-log.ts'

const TWO_PER_MINUTE = [{ count: 2, windowMs: 60_000 }]

test('contract §2 a limit applies to every sliding window and returns when it allows the next post', () => {
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

test('a returned slot is free again', () => {
  const log = createPostLog(TWO_PER_MINUTE)
  log.add('ada', 1_000)
  log.add('ada', 2_000)
  log.remove('ada', 2_000)
  assert.equal(log.waitMs('ada', 3_000), 0)
})

test('a clock set back delays nobody longer than the window', () => {
  const log = createPostLog([{ count: 1, windowMs: 60_000 }])
  log.add('ada', 10_000_000)
  assert.equal(log.waitMs('ada', 0), 60_000)
  assert.equal(log.waitMs('ada', 59_000), 1_000)
  assert.equal(log.waitMs('ada', 60_000), 0)
})

test('inactive senders are forgotten', () => {
  const log = createPostLog(TWO_PER_MINUTE)
  for (let sender = 0; sender < 10_000; sender += 1) log.add(`${sender}`, 0)
  assert.equal(log.size(), 10_000)
  log.add('late', 120_000)
  assert.equal(log.size(), 1)
})

test('a sender is remembered while the longest limit counts their posts', () => {
  const hour = { count: 3, windowMs: 3_600_000 }
  for (const limits of [
    [...TWO_PER_MINUTE, hour],
    [hour, ...TWO_PER_MINUTE],
  ]) {
    const log = createPostLog(limits)
    for (const time of [0, 1, 2]) log.add('ada', time)
    for (let sender = 0; sender <= 10_000; sender += 1) log.add(`${sender}`, 120_000)
    assert.equal(log.waitMs('ada', 120_000), 3_480_000)
  }
})

test('posts under an earlier name count under the new one, in their order', () => {
  const log = createPostLog(TWO_PER_MINUTE)
  log.add('yesterday', 1_000)
  log.add('today', 2_000)
  log.join('yesterday', 'today')
  log.join('nobody', 'today')
  assert.equal(log.waitMs('today', 3_000), 58_000)
  assert.equal(log.waitMs('yesterday', 3_000), 0)
  log.join('today', 'tomorrow')
  assert.deepEqual([log.waitMs('tomorrow', 3_000), log.waitMs('today', 3_000), log.size()], [58_000, 0, 1])
})

test('a slot that was never taken can’t be returned', () => {
  const log = createPostLog(TWO_PER_MINUTE)
  log.remove('ada', 1_000)
  log.add('ada', 1_000)
  log.add('ada', 2_000)
  log.remove('ada', 3_000)
  assert.equal(log.waitMs('ada', 3_000), 58_000)
  log.remove('ada', 1_000)
  assert.equal(log.waitMs('ada', 3_000), 0)
})

test('a sender limited by another server waits as long as that says, up to a window', () => {
  const log = createPostLog(TWO_PER_MINUTE)
  log.close('ada', 40_000)
  assert.deepEqual(
    [10_000, 39_999, 40_000, 50_000].map((now) => log.waitMs('ada', now)),
    [30_000, 1, 0, 0],
  )
  assert.equal(log.waitMs('eve', 10_000), 0)
  // The clock was set back.
  log.close('ada', 100_000)
  assert.deepEqual(
    [39_999, 40_000].map((now) => log.waitMs('ada', now)),
    [0, 60_000],
  )
})

test('after a clock was set back, posts from the future count as made now', () => {
  const log = createPostLog(TWO_PER_MINUTE)
  for (const time of [1_000, 10_000_000, 10_000_001]) log.add('ada', time)
  assert.equal(log.waitMs('ada', 30_000), 60_000)
  assert.equal(log.waitMs('ada', 90_000), 0)
})

test('any number of posts by one sender count like the last ones', () => {
  const log = createPostLog(TWO_PER_MINUTE)
  for (let time = 0; time < 100; time += 1) log.add('ada', time)
  assert.equal(log.waitMs('ada', 100), 59_998)
  // Those that are given back make room for none before the last four.
  for (const time of [99, 98]) log.remove('ada', time)
  assert.equal(log.waitMs('ada', 100), 59_996)
})

test('beyond 10,000 senders that other servers close, the earlier ones are forgotten', () => {
  const log = createPostLog(TWO_PER_MINUTE)
  for (let sender = 0; sender < 10_000; sender += 1) log.close(`sender ${sender}`, 60_000)
  assert.equal(log.waitMs('sender 0', 1_000), 59_000)
  log.close('ada', 60_000)
  assert.deepEqual([log.waitMs('sender 0', 1_000), log.waitMs('ada', 1_000)], [0, 59_000])
})
