import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endWithin } from '#src/lib/background/end-within.ts'
import { interruptAfter } from '#src/lib/background/interrupt-after.ts'
import { createOpenWork } from '#src/lib/background/open-work.ts'

const message = (seconds: number) => `took ${seconds} s`
const SOON = { withinMs: 20, message }
const LATE = { withinMs: 60_000, message }

test('work that blocks is interrupted after its time, even in an endless loop', () => {
  assert.throws(() => interruptAfter(SOON, () => loopForever()), { message: 'took 0.02 s' })
  assert.equal(
    interruptAfter(LATE, () => 'done'),
    'done',
  )
  for (const failure of [new Error('own'), null, { code: 'other' }])
    assert.throws(
      () =>
        interruptAfter(LATE, () => {
          throw failure
        }),
      (error) => error === failure,
    )
})

test('work that waits ends with an error after its time', async () => {
  await assert.rejects(
    endWithin(SOON, () => new Promise(() => {})),
    { message: 'took 0.02 s' },
  )
  assert.equal(await endWithin(LATE, () => 'done'), 'done')
  assert.equal(await endWithin(LATE, async () => 'later'), 'later')
  const fail = () => {
    throw new Error('own')
  }
  await assert.rejects(endWithin(LATE, fail), { message: 'own' })
  const before = countTimers()
  for (let time = 0; time < 20; time += 1) await endWithin(LATE, () => 1)
  assert.ok(countTimers() < before + 20, 'no timer is left')
})

test('work that has not ended, or has failed, is open', async () => {
  const work = createOpenWork()
  const slow = Promise.withResolvers<void>()
  const ended = work.end({ mails: Promise.resolve(), hooks: slow.promise, none: undefined })
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(work.names(), ['hooks'])
  slow.resolve()
  await ended
  assert.deepEqual(work.names(), [])
  await assert.rejects(work.end({ index: Promise.reject(new Error('own')) }), { message: 'own' })
  assert.deepEqual(work.names(), ['index'])
})

function loopForever() {
  for (;;);
}

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length
}
