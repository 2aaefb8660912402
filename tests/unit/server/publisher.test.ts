import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PublishRequest } from '#src/publish/warm/warm-calls.ts'
import { createPublisher } from '#src/server/background/publisher.ts'

const BUTTON = { startedBy: 'admin' } as const

// Builds that end when they are told to.
function heldBuilds() {
  const ends: { resolve(): void; reject(error: Error): void }[] = []
  const starters: string[] = []
  const publisher = createPublisher(({ startedBy }, { signal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    starters.push(startedBy)
    ends.push({ resolve: () => resolve(undefined), reject })
    signal.addEventListener('abort', () => resolve(undefined))
    return promise
  })
  return { publisher, ends, starters, settled: () => new Promise((resolve) => setImmediate(resolve)) }
}

test('requests during a publish are merged into one more publish', async () => {
  const { publisher, ends, settled } = heldBuilds()
  const first = publisher.publish(BUTTON)
  const wishes = [publisher.publish(BUTTON), publisher.publish(BUTTON), publisher.publish(BUTTON)]
  await settled()
  assert.equal(ends.length, 1)
  ends[0]?.resolve()
  await first
  await settled()
  assert.equal(ends.length, 2)
  assert.equal(publisher.isRunning(), true)
  ends[1]?.resolve()
  await Promise.all(wishes)
  assert.equal(ends.length, 2)
  assert.equal(publisher.isRunning(), false)
})

test('a pending schedule doesn’t replace a requested full publish', async () => {
  const { publisher, ends, starters } = heldBuilds()
  const first = publisher.publish(BUTTON)
  const wishes = [publisher.publish({ startedBy: 'schedule' }), publisher.publish(BUTTON)]
  wishes.push(publisher.publish({ startedBy: 'schedule' }))
  ends[0]?.resolve()
  await first
  await new Promise((resolve) => setImmediate(resolve))
  ends[1]?.resolve()
  await Promise.all(wishes)
  assert.deepEqual(starters, ['admin', 'admin'])
})

test('pending selections are merged, and a full publish replaces them', async () => {
  const selected: unknown[] = []
  const held = Promise.withResolvers<undefined>()
  const publisher = createPublisher(({ only }) => {
    selected.push(only?.map(({ subjectId }) => subjectId))
    return held.promise
  })
  const only = (subjectId: string) => ({ ...BUTTON, only: [{ subject: 'entry' as const, subjectId }] })
  const wishes = [publisher.publish(only('1')), publisher.publish(only('2')), publisher.publish(only('3'))]
  held.resolve(undefined)
  await Promise.all(wishes)
  assert.deepEqual(selected, [['1'], ['2', '3']])
  const more = [publisher.publish(only('4')), publisher.publish(only('5')), publisher.publish(BUTTON)]
  more.push(publisher.publish(only('6')))
  await Promise.all(more)
  assert.deepEqual(selected.slice(2), [['4'], undefined])
})

test('an approved preview, and what is requested after a rollback, is published on its own', async () => {
  const run: PublishRequest[] = []
  const held = Promise.withResolvers<undefined>()
  const publisher = createPublisher((request) => {
    run.push(request)
    return held.promise
  })
  const only = [{ subject: 'entry' as const, subjectId: '1' }]
  const requests: PublishRequest[] = [
    { ...BUTTON, lastRollbackId: 1 },
    { ...BUTTON, only, lastRollbackId: 1 },
    { ...BUTTON, only, lastRollbackId: 1, approved: { previewId: 1, pagesHash: 'a' } },
    { ...BUTTON, only, lastRollbackId: 1 },
    { ...BUTTON, only, lastRollbackId: 2 },
  ]
  const wishes = requests.map((request) => publisher.publish(request))
  wishes.push(publisher.publish({ startedBy: 'schedule' }))
  assert.equal(publisher.isQueued(), true)
  held.resolve(undefined)
  await Promise.all(wishes)
  assert.deepEqual(
    run.map(({ full, ...request }) => request),
    requests,
  )
  assert.deepEqual([publisher.isRunning(), publisher.isQueued()], [false, false])
})

test('a failed publish is reported to its requester, and the next one runs', async () => {
  const { publisher, ends, settled } = heldBuilds()
  const first = publisher.publish(BUTTON)
  const second = publisher.publish(BUTTON)
  ends[0]?.reject(new Error('no space'))
  await assert.rejects(first, /no space/)
  await settled()
  ends[1]?.resolve()
  await second
})

test('stopping aborts the running publish and starts no other', async () => {
  const { publisher, ends } = heldBuilds()
  const all = [publisher.publish(BUTTON), publisher.publish(BUTTON)]
  await publisher.stop()
  await Promise.all(all)
  await publisher.publish(BUTTON)
  assert.equal(ends.length, 1)
})
