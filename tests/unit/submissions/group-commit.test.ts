import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGroupCommit } from '#src/submissions/intake/group-commit.ts'

const NEVER = () => false

/** A commit that squares numbers, refuses 13 and remembers its batches. */
function aCommit({ concernsAll = NEVER, maxBatch = 64 } = {}) {
  const batches: number[][] = []
  const square = createGroupCommit({
    maxBatch,
    concernsAll,
    commitAll: async (items: readonly number[]) => {
      batches.push([...items])
      await nextTurn()
      if (items.includes(13)) throw new Error('13 is refused')
      return items.map((item) => item * item)
    },
  })
  return { batches, square }
}

test('concurrent items share one commit, and each gets its own result', async () => {
  const { batches, square } = aCommit()
  assert.deepEqual(await Promise.all([2, 3, 4].map(square)), [4, 9, 16])
  assert.deepEqual(batches, [[2, 3, 4]])
})

test('items that arrive during a commit wait for the next one', async () => {
  const { batches, square } = aCommit()
  const first = square(2)
  while (batches.length === 0) await nextTurn()
  assert.deepEqual(await Promise.all([first, square(3), square(4)]), [4, 9, 16])
  assert.deepEqual(batches, [[2], [3, 4]])
})

test('an item that arrives after the last commit begins the next one', async () => {
  const { batches, square } = aCommit()
  assert.deepEqual([await square(2), await square(3)], [4, 9])
  await assert.rejects(square(13))
  assert.equal(await square(4), 16)
  assert.deepEqual(batches, [[2], [3], [13], [4]])
})

test('a commit takes 64 items at most', async () => {
  const { batches, square } = aCommit()
  await Promise.all(Array.from({ length: 150 }, (_, item) => square(item + 100)))
  assert.deepEqual(
    batches.map((batch) => batch.length),
    [64, 64, 22],
  )
})

test('one commit runs at a time', async () => {
  let running = 0
  let most = 0
  const commit = createGroupCommit({
    maxBatch: 2,
    concernsAll: NEVER,
    commitAll: async (items: readonly number[]) => {
      running += 1
      most = Math.max(most, running)
      await nextTurn()
      running -= 1
      return items
    },
  })
  await Promise.all([1, 2, 3, 4, 5, 6, 7].map(commit))
  assert.equal(most, 1)
})

test('a bad item fails alone', async () => {
  const { batches, square } = aCommit()
  const settled = await Promise.allSettled([2, 13, 4].map(square))
  assert.deepEqual(
    settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)),
    [4, '13 is refused', 16],
  )
  assert.deepEqual(batches, [[2, 13, 4], [2], [13], [4]])
  assert.equal(await square(5), 25)
})

test('a failure of the whole storage fails the batch at once', async () => {
  const { batches, square } = aCommit({ concernsAll: () => true })
  const settled = await Promise.allSettled([2, 13, 4].map(square))
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  assert.equal(batches.length, 1)
  assert.equal(await square(5), 25)
})

test('an item is settled only after its commit', async () => {
  let isCommitted = false
  const commit = createGroupCommit({
    concernsAll: NEVER,
    commitAll: async (items: readonly number[]) => {
      await nextTurn()
      isCommitted = true
      return items
    },
  })
  const settled = commit(1).then(() => isCommitted)
  assert.equal(isCommitted, false)
  assert.equal(await settled, true)
})

test('an abandoned item is rejected instead of committed', async () => {
  const batches: number[][] = []
  const givenUp = new Set<number>()
  const commit = createGroupCommit({
    concernsAll: NEVER,
    isGivenUp: (item) => givenUp.has(item),
    commitAll: async (items: readonly number[]) => {
      batches.push([...items])
      await nextTurn()
      return items
    },
  })
  const first = commit(1)
  while (batches.length === 0) await nextTurn()
  const rest = Promise.allSettled([2, 3, 4].map(commit))
  givenUp.add(2).add(4)
  await first
  assert.deepEqual(
    (await rest).map(({ status }) => status),
    ['rejected', 'fulfilled', 'rejected'],
  )
  assert.deepEqual(batches, [[1], [3]])
})

test('another process gets the next batch before the results of the last one are returned', async () => {
  const steps: string[] = []
  const commit = createGroupCommit({
    isRemote: true,
    concernsAll: NEVER,
    commitAll: async (items: readonly number[]) => {
      steps.push(`sent ${items}`)
      await nextTurn()
      return items
    },
  })
  const first = commit(1).then((item) => steps.push(`returned ${item}`))
  while (steps.length === 0) await nextTurn()
  await Promise.all([first, commit(2).then((item) => steps.push(`returned ${item}`))])
  assert.deepEqual(steps, ['sent 1', 'sent 2', 'returned 1', 'returned 2'])
})
