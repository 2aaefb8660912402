import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareSlots } from '#src/webhooks/dispatching/share-slots.ts'

const queue = (webhookId: number | null, origin: string | null, dueAt = '2026-11-20T10:00:00.000Z') => {
  return { webhookId, target: origin === null ? null : { origin, url: `${origin}/${webhookId}` }, dueAt }
}
const anyNumber = () => 32

test('webhooks get slots in turn, the longest waiting first', () => {
  const queues = [
    queue(1, 'https://a.example.com', '2026-11-20T10:00:02.000Z'),
    queue(2, 'https://b.example.com', '2026-11-20T10:00:01.000Z'),
    queue(3, 'https://c.example.com', '2026-11-20T10:00:03.000Z'),
  ]
  assert.deepEqual(shareSlots(queues, { free: 4, freeFor: () => 8, freeAt: anyNumber }), [
    { webhookId: 2, count: 2 },
    { webhookId: 1, count: 1 },
    { webhookId: 3, count: 1 },
  ])
})

test('webhooks of one origin share its slots, and a full origin gets none', () => {
  const queues = [
    queue(1, 'https://a.example.com'),
    queue(2, 'https://a.example.com'),
    queue(3, 'https://full.example.com'),
  ]
  const freeAt = (origin: string) => (origin === 'https://full.example.com' ? 0 : 3)
  assert.deepEqual(shareSlots(queues, { free: 32, freeFor: anyNumber, freeAt }), [
    { webhookId: 1, count: 2 },
    { webhookId: 2, count: 1 },
  ])
})

test('an address without free slots leaves its origin’s to another', () => {
  const queues = [queue(1, 'https://a.example.com'), queue(2, 'https://a.example.com')]
  const freeFor = (url: string) => (url === 'https://a.example.com/1' ? 1 : 8)
  assert.deepEqual(shareSlots(queues, { free: 32, freeFor, freeAt: () => 4 }), [
    { webhookId: 1, count: 1 },
    { webhookId: 2, count: 3 },
  ])
})

test('deliveries that can’t be sent need no slot', () => {
  assert.deepEqual(shareSlots([queue(null, null)], { free: 5, freeFor: () => 0, freeAt: () => 0 }), [
    { webhookId: null, count: 5 },
  ])
})
