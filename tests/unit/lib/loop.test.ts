import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLoop, type Loop, type Pause } from '#src/lib/background/loop.ts'
import { atEnd } from '../../support/at-end.ts'
import { waitFor } from '../../support/running-site.ts'

const HOUR_MS = 3_600_000

/** A loop that counts its turns and how many run at once, with the lines of its log. */
function aLoop(
  t: TestContext,
  { turn = async () => {}, ...options }: Partial<Parameters<typeof createLoop>[0]> = {},
) {
  const seen = { turns: 0, running: 0, mostAtOnce: 0 }
  const errors: [details: object, message: string][] = []
  const loop: Loop = createLoop({
    everyMs: HOUR_MS,
    failure: 'a turn failed',
    log: { error: (details, message) => errors.push([details, message]) },
    async turn(signal) {
      seen.turns += 1
      seen.running += 1
      seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.running)
      try {
        return (await turn(signal)) as Pause
      } finally {
        seen.running -= 1
      }
    },
    ...options,
  })
  atEnd(t, () => loop.stop())
  return { loop, seen, errors }
}

test('nothing runs before the start, and the first turn comes at once', async (t) => {
  const { loop, seen } = aLoop(t)
  assert.equal(seen.turns, 0)
  loop.start()
  assert.equal(seen.turns, 1)
  assert.throws(() => loop.start(), /started once/)
})

test('turns repeat without overlapping, also when woken during one', async (t) => {
  let end = () => {}
  const { loop, seen } = aLoop(t, { turn: () => new Promise<void>((resolve) => (end = resolve)) })
  loop.start()
  loop.wake()
  loop.wake()
  assert.equal(seen.turns, 1)
  end()
  await waitFor(() => seen.turns === 2)
  assert.equal(seen.mostAtOnce, 1)
  end()
})

test('a turn sets the pause after it', async (t) => {
  const { loop, seen } = aLoop(t, { turn: async () => ({ pauseMs: seen.turns < 3 ? 0 : HOUR_MS }) })
  loop.start()
  await waitFor(() => seen.turns === 3)
})

test('a loop repeats on time, and its first turn may be delayed', async (t) => {
  const { loop, seen } = aLoop(t, { everyMs: 1, firstAfterMs: 5 })
  loop.start()
  assert.equal(seen.turns, 0)
  await waitFor(() => seen.turns >= 3)
})

test('waking ends the pause', async (t) => {
  const { loop, seen } = aLoop(t, { firstAfterMs: HOUR_MS })
  loop.start()
  loop.wake()
  await waitFor(() => seen.turns === 1)
})

test('an error is logged, and the loop continues after its error pause', async (t) => {
  const trouble = new Error('disk full')
  const { loop, seen, errors } = aLoop(t, {
    afterErrorMs: 1,
    turn: async () => {
      if (seen.turns < 3) throw trouble
    },
  })
  loop.start()
  await waitFor(() => seen.turns === 3)
  assert.deepEqual(errors, [
    [{ err: trouble }, 'a turn failed'],
    [{ err: trouble }, 'a turn failed'],
  ])
})

test('stop signals and awaits the running turn and starts no other', async (t) => {
  let isAborted = false
  const { loop, seen, errors } = aLoop(t, {
    turn: (signal) =>
      new Promise<void>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isAborted = true
          reject(signal.reason)
        })
      }),
  })
  loop.start()
  await loop.stop()
  loop.wake()
  assert.deepEqual([isAborted, seen.running, seen.turns], [true, 0, 1])
  assert.deepEqual(errors, [], 'a turn that was broken off is no failure')
})

test('a failure of the last turn is logged even after stop', async (t) => {
  let fail = () => {}
  const { loop, errors } = aLoop(t, {
    turn: () => new Promise<void>((_resolve, reject) => (fail = () => reject(new Error('disk full')))),
  })
  loop.start()
  const stopped = loop.stop()
  fail()
  await stopped
  assert.equal(errors.length, 1)
})

test('a loop that was stopped before its start doesn’t start', async (t) => {
  const { loop, seen } = aLoop(t)
  await loop.stop()
  loop.start()
  assert.equal(seen.turns, 0)
})
