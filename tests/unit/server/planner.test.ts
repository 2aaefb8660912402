import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlannedChanges } from '#src/publish/warm/warm-calls.ts'
import { createPlanner } from '#src/server/background/planner.ts'

const changing = (changed: number) =>
  ({
    plan: { added: 0, changed, removed: 0, renderedSame: 0, unchanged: 3, causes: [] },
    changes: [],
  }) as unknown as PlannedChanges
const ONE_CHANGED = changing(1)

function aPlanner() {
  const looks: PromiseWithResolvers<PlannedChanges>[] = []
  const plan = () => {
    const look = Promise.withResolvers<PlannedChanges>()
    looks.push(look)
    return look.promise
  }
  const site = { lastPublish: '1', isPublishing: false, isSynced: false }
  const planner = createPlanner({
    plan,
    now: () => new Date(),
    lastPublish: () => site.lastPublish,
    isPublishing: () => site.isPublishing,
    isSynced() {
      const { isSynced } = site
      site.isSynced = false
      return isSynced
    },
  })
  return { planner, looks, site }
}

test('a plan that was running during a publish is discarded', async () => {
  const { planner, looks } = aPlanner()
  planner.look()
  planner.notePublish({ isPart: false })
  looks[0]?.resolve(ONE_CHANGED)
  await planner.stop()
  assert.deepEqual(
    [planner.latest(), planner.hasUnpublished(), planner.isLooking()],
    [undefined, false, false],
  )
})

test('after a part was published, the next plan says whether changes are left', async () => {
  for (const saved of [{ count: 1, hasMore: false, newest: [] }, undefined]) {
    const { planner, looks, site } = aPlanner()
    planner.notePublish({ isPart: true })
    site.lastPublish = '2'
    assert.deepEqual([planner.hasUnpublished(), looks.length], [true, 1])
    looks[0]?.resolve({ ...changing(0), saved })
    await planner.stop()
    assert.equal(planner.hasUnpublished(), saved !== undefined)
  }
})

test('an undisturbed plan is kept and says whether there are unpublished changes', async () => {
  const { planner, looks } = aPlanner()
  planner.look()
  looks[0]?.resolve(ONE_CHANGED)
  await planner.stop()
  assert.equal(planner.latest()?.kind, 'planned')
  assert.equal(planner.hasUnpublished(), true)
})

test('after a publish by command, the next plan says whether changes are left', async () => {
  const { planner, looks, site } = aPlanner()
  planner.noteChange()
  assert.deepEqual([planner.hasUnpublished(), looks.length], [true, 0])
  site.lastPublish = '2'
  site.isPublishing = true
  assert.deepEqual([planner.hasUnpublished(), looks.length], [true, 0])
  site.isPublishing = false
  assert.deepEqual([planner.hasUnpublished(), planner.hasUnpublished(), looks.length], [true, true, 1])
  looks[0]?.resolve(changing(0))
  await planner.stop()
  assert.deepEqual([planner.hasUnpublished(), looks.length], [false, 1])
})

test('changes synced by a command count as unpublished until a plan finds no changed page', async () => {
  const { planner, looks, site } = aPlanner()
  planner.look()
  site.isSynced = true
  assert.equal(planner.hasUnpublished(), true)
  looks[0]?.resolve(changing(0))
  while (planner.isLooking()) await Promise.resolve()
  assert.deepEqual([planner.latest(), planner.hasUnpublished()], [undefined, true])
  planner.look()
  looks[1]?.resolve(changing(0))
  await planner.stop()
  assert.deepEqual([planner.latest()?.kind, planner.hasUnpublished()], ['planned', false])
})

test('a page that just planned plans again after a sync', async () => {
  const { planner, looks, site } = aPlanner()
  planner.look()
  looks[0]?.resolve(changing(0))
  while (planner.isLooking()) await Promise.resolve()
  planner.look()
  assert.equal(looks.length, 1)
  site.isSynced = true
  planner.look()
  assert.equal(looks.length, 2)
})
