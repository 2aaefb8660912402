import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlannedChanges } from '../../../src/publish/planned-changes.ts'
import { createPlanner } from '../../../src/server/planner.ts'

const ONE_CHANGED = {
  plan: { added: 0, changed: 1, removed: 0, unchanged: 3, causes: [] },
  changes: [],
} as unknown as PlannedChanges

function aPlanner() {
  const looks: PromiseWithResolvers<PlannedChanges>[] = []
  const plan = () => {
    const look = Promise.withResolvers<PlannedChanges>()
    looks.push(look)
    return look.promise
  }
  return { planner: createPlanner({ plan, now: () => new Date() }), looks }
}

test('a look that was under way when something was published says nothing of the site as it is now', async () => {
  const { planner, looks } = aPlanner()
  planner.look()
  planner.notePublish()
  looks[0]?.resolve(ONE_CHANGED)
  await planner.stop()
  assert.deepEqual(
    [planner.latest(), planner.hasUnpublished(), planner.isLooking()],
    [undefined, false, false],
  )
})

test('a look that nothing came in between of is kept, and says whether there is something to publish', async () => {
  const { planner, looks } = aPlanner()
  planner.look()
  looks[0]?.resolve(ONE_CHANGED)
  await planner.stop()
  assert.equal(planner.latest()?.kind, 'planned')
  assert.equal(planner.hasUnpublished(), true)
})
