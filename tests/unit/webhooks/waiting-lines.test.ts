import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWaitingLines } from '#src/webhooks/dispatching/waiting-lines.ts'
import type { PreparedDelivery } from '#src/webhooks/sending/prepare-delivery.ts'

const A = 'https://a.example.com/one'
const B = 'https://a.example.com/two'
const STALE_MS = 250

function aDelivery(id: number, url = A) {
  return { job: { id }, sendable: { url } } as PreparedDelivery
}

const anyAddress = () => 0
const idOf = (prepared: PreparedDelivery | undefined) => prepared?.job.id

test('each address has its own queue; the highest rank goes first, and one without a rank waits', () => {
  const lines = createWaitingLines()
  for (const one of [aDelivery(1), aDelivery(2), aDelivery(3, B)]) lines.add(one, 0)
  assert.deepEqual([lines.size(), lines.lengthOf(A), lines.lengthOf(B)], [3, 2, 1])
  const rank = ({ sendable }: PreparedDelivery) => (sendable.url === B ? 0 : 1)
  const onlyA = ({ sendable }: PreparedDelivery) => (sendable.url === A ? 0 : undefined)
  assert.deepEqual(
    [rank, onlyA, onlyA, onlyA].map((by) => idOf(lines.next(by, 0))),
    [3, 1, 2, undefined],
  )
  assert.equal(lines.size(), 0)
})

test('a delivery queued for a quarter second is removed instead of sent', () => {
  const lines = createWaitingLines()
  lines.add(aDelivery(1), 0)
  lines.add(aDelivery(2), 1)
  assert.equal(lines.next(anyAddress, STALE_MS), undefined)
  assert.deepEqual(lines.takeOut(() => false, STALE_MS).map(idOf), [1])
  assert.deepEqual(lines.takeOut(({ job }) => job.id === 2, STALE_MS).map(idOf), [2])
  assert.deepEqual([lines.size(), lines.all()], [0, []])
})

test('an empty queue doubles its limit up to 128; one with an expired delivery halves it', () => {
  const lines = createWaitingLines()
  const runEmpty = () => {
    lines.add(aDelivery(1), 0)
    lines.next(anyAddress, 0)
    return lines.roomFor(A)
  }
  assert.equal(lines.roomFor(A), 8)
  assert.deepEqual(Array.from({ length: 5 }, runEmpty), [16, 32, 64, 128, 128])
  lines.add(aDelivery(1), 0)
  assert.equal(lines.roomFor(A), 127)
  lines.takeOut(() => false, STALE_MS)
  assert.deepEqual([lines.roomFor(A), lines.roomFor(B)], [64, 8])
})
