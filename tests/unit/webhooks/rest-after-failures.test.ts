import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FinishedAttempt } from '#src/webhooks/dispatching/record-attempts.ts'
import { createRest } from '#src/webhooks/dispatching/rest-after-failures.ts'
import { assertWithin } from '../../support/assert-within.ts'

const ended = (kind: string) => ({ attempt: { kind } }) as FinishedAttempt
const FAILED = ended('failed')
const DELIVERED = ended('delivered')

async function restAfter(finished: readonly FinishedAttempt[], turnMs: number): Promise<number> {
  const rest = createRest()
  const start = performance.now()
  rest.begin(finished, turnMs)
  await rest.take()
  return performance.now() - start
}

test('only failed turns are followed by a pause of three times their length, up to 50 ms', async () => {
  // Timers fire up to two milliseconds early.
  assert.ok((await restAfter([FAILED, FAILED], 10)) >= 25)
  const longest = await restAfter([FAILED], 100_000)
  assert.ok(longest >= 45, `${longest} ms`)
  assertWithin(longest, 5_000)
})

for (const [name, finished] of [
  ['with a delivery among them', [FAILED, DELIVERED]],
  ['without an attempt', []],
] as const) {
  test(`there is no pause after a turn ${name}`, async () => {
    const rest = createRest()
    rest.begin([FAILED], 10)
    rest.begin(finished, 10)
    const first = await Promise.race([rest.take().then(() => 'ready'), afterATurn()])
    assert.equal(first, 'ready')
  })
}

function afterATurn(): Promise<string> {
  return new Promise((resolve) => setImmediate(resolve, 'resting'))
}
