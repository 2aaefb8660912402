import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOriginSlots } from '#src/webhooks/dispatching/origin-slots.ts'

const at = (origin: string, path = '/') => ({ origin, url: origin + path })
const A = at('https://a.example.com')
const OTHER_OF_A = at(A.origin, '/other')
const B = at('https://b.example.com')

test('an address starts with one slot, gains slots with responses, and loses them with failures', () => {
  const slots = createOriginSlots({ maxInFlight: 32, maxPerOrigin: 8 })
  const attempt = (delivered: boolean) => {
    slots.take(1, A, 0)
    slots.release(1, { delivered })
    return slots.freeFor(A.url)
  }
  assert.equal(slots.freeFor(A.url), 1)
  assert.deepEqual([true, true, true, true].map(attempt), [2, 4, 8, 8])
  assert.deepEqual([false, false, false, false, true].map(attempt), [4, 2, 1, 1, 2])
  assert.deepEqual([slots.freeFor(OTHER_OF_A.url), slots.freeFor(B.url)], [1, 1])
})

test('the addresses of an origin share the slots that one of them can gain', () => {
  const slots = createOriginSlots({ maxInFlight: 32, maxPerOrigin: 2 })
  slots.take(1, A, 0)
  assert.deepEqual([slots.freeAt(A.origin, 0), slots.freeAt(B.origin, 0)], [1, 2])
  slots.take(2, OTHER_OF_A, 0)
  assert.deepEqual([slots.freeAt(A.origin, 0), slots.freeAt(B.origin, 0)], [0, 2])
  assert.deepEqual([slots.runningTo(A.url), slots.runningTo(B.url)], [1, 0])
  slots.release(1, { delivered: true })
  assert.equal(slots.freeAt(A.origin, 0), 1)
})

test('attempts in flight use slots of their origin and of the total', () => {
  const slots = createOriginSlots({ maxInFlight: 3, maxPerOrigin: 8 })
  slots.take(1, A, 0)
  slots.take(2, A, 0)
  assert.deepEqual([slots.freeFor(A.url), slots.freeFor(B.url), slots.free(0)], [0, 1, 1])
  assert.deepEqual(slots.ids(), [1, 2])
})

test('an attempt frees its slot after half a second, for up to four times as many', () => {
  const slots = createOriginSlots({ maxInFlight: 2, maxPerOrigin: 8 })
  let id = 0
  for (let moment = 0; moment < 4_000; moment += 1_000) {
    while (slots.free(moment) > 0) slots.take(id++, at(`https://${id}.example.com`), moment)
  }
  assert.equal(slots.ids().length, 8)
  slots.release(0, { delivered: false })
  assert.equal(slots.free(10_000), 1)
})

test('quick attempts are counted by their age', () => {
  const slots = createOriginSlots({ maxInFlight: 2, maxPerOrigin: 8 })
  slots.take(1, A, 10_000)
  assert.deepEqual([10_000, 10_499, 10_500].map(slots.free), [1, 1, 2])
})

test('the number of attempts to the busiest origin is known', () => {
  const slots = createOriginSlots({ maxInFlight: 32, maxPerOrigin: 8 })
  assert.equal(slots.mostRunning(), 0)
  slots.take(1, A, 0)
  slots.take(2, B, 0)
  slots.take(3, OTHER_OF_A, 0)
  assert.equal(slots.mostRunning(), 2)
})

test('an origin with hanging slots gets one more after half a second for another address', () => {
  const slots = createOriginSlots({ maxInFlight: 32, maxPerOrigin: 1 })
  slots.take(1, A, 0)
  assert.deepEqual([slots.freeAt(A.origin, 499), slots.freeAt(A.origin, 500)], [0, 1])
  assert.deepEqual([slots.isStuck(A.origin, 499), slots.isStuck(A.origin, 500)], [false, true])
  assert.deepEqual([slots.freeFor(A.url), slots.freeFor(OTHER_OF_A.url)], [0, 1])
  slots.take(2, OTHER_OF_A, 500)
  assert.deepEqual([slots.freeAt(A.origin, 999), slots.freeAt(A.origin, 60_000)], [0, 0])
  slots.release(2, { delivered: true })
  slots.take(3, OTHER_OF_A, 600)
  slots.release(3, { delivered: true })
  assert.deepEqual([slots.freeAt(A.origin, 1_099), slots.freeAt(A.origin, 1_100)], [0, 1])
})

test('an origin with slots left is not stuck, however long ago it started something', () => {
  const slots = createOriginSlots({ maxInFlight: 32, maxPerOrigin: 2 })
  slots.take(1, A, 0)
  assert.deepEqual([slots.isStuck(A.origin, 60_000), slots.freeAt(A.origin, 60_000)], [false, 1])
})

test('a server that shares the slots uses its part, and may not exceed it unless it is told so', () => {
  let share = { perOrigin: 0, mayExceed: false }
  const slots = createOriginSlots({ maxInFlight: 32, maxPerOrigin: 8, share: () => share })
  assert.deepEqual([slots.isClosed(), slots.freeFor(A.url), slots.freeAt(A.origin, 0)], [true, 0, 0])
  share = { perOrigin: 1, mayExceed: false }
  assert.deepEqual([slots.isClosed(), slots.freeFor(A.url), slots.freeAt(A.origin, 0)], [false, 1, 1])
  slots.take(1, A, 0)
  assert.deepEqual([slots.isStuck(A.origin, 500), slots.freeAt(A.origin, 500)], [false, 0])
  share = { perOrigin: 1, mayExceed: true }
  assert.equal(slots.freeAt(A.origin, 500), 1)
})

test('an address has its full window when it has earned every slot of its origin', () => {
  const slots = createOriginSlots({ maxInFlight: 32, maxPerOrigin: 2 })
  assert.equal(slots.hasFullWindow(A.url), false)
  slots.take(1, A, 0)
  slots.release(1, { delivered: true })
  assert.deepEqual([slots.hasFullWindow(A.url), slots.hasFullWindow(OTHER_OF_A.url)], [true, false])
})

test('the time at which a slow attempt frees its slot is known', () => {
  const slots = createOriginSlots({ maxInFlight: 2, maxPerOrigin: 8 })
  assert.equal(slots.millisecondsToFree(0), undefined)
  slots.take(1, A, 0)
  slots.take(2, A, 200)
  assert.deepEqual([100, 600, 700].map(slots.millisecondsToFree), [400, 100, undefined])
})
