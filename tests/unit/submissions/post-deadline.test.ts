import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerWithin, type PostDeadline } from '#src/submissions/limits/post-deadline.ts'

const NOT_FOUND = { kind: 'not_found' } as const

test('a post finished in time gets its answer and doesn’t time out', async () => {
  let seen: PostDeadline | undefined
  const answer = await answerWithin(60_000, async (deadline) => {
    seen = deadline
    return NOT_FOUND
  })
  assert.deepEqual([answer, seen?.isOver()], [NOT_FOUND, false])
  assert.deepEqual(await answerWithin(undefined, async () => NOT_FOUND), NOT_FOUND)
})

for (const [when, begins, expected] of [
  ['before its transaction', false, { kind: 'unavailable' }],
  ['while it is stored', true, { kind: 'unavailable', mayBeStored: true }],
] as const) {
  test(`a post that times out ${when} says whether it may be stored`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const never = Promise.withResolvers<typeof NOT_FOUND>()
    let seen: PostDeadline | undefined
    const answered = answerWithin(1_000, (deadline) => {
      seen = deadline
      if (begins) deadline.beginCommit()
      return never.promise
    })
    t.mock.timers.tick(999)
    assert.equal(seen?.isOver(), false)
    t.mock.timers.tick(1)
    assert.deepEqual([await answered, seen?.isOver()], [expected, true])
  })
}

test('time spent on work with its own deadline doesn’t count', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const pass = (ms: number) => {
    now += ms
    t.mock.timers.tick(ms)
  }
  const sending = Promise.withResolvers<void>()
  const sent = Promise.withResolvers<void>()
  let seen: PostDeadline | undefined
  const answered = answerWithin(1_000, async (deadline) => {
    seen = deadline
    await deadline.besides(sending.promise)
    sent.resolve()
    return new Promise(() => {})
  })
  pass(60_000)
  sending.resolve()
  await sent.promise
  pass(999)
  assert.equal(seen?.isOver(), false)
  pass(1)
  assert.deepEqual(await answered, { kind: 'unavailable' })
})
