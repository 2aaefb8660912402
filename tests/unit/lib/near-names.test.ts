import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byNearness, nearNames } from '#src/lib/names/near-names.ts'
import { textInTurns } from '#src/lib/text-in-turns.ts'

test('names are near if at most four of ten letters differ; three at most, closest first', () => {
  assert.deepEqual(nearNames('abc', ['abcde', 'abcdef', 'xyz', 'ABD']), ['ABD', 'abcde'])
  assert.deepEqual(nearNames('abcde', ['abc']), ['abc'])
  assert.deepEqual(nearNames('dublin', ['dublix', 'dublin', 'dubl', 'dubln']), ['dublin', 'dublix', 'dubln'])
  assert.deepEqual(byNearness('abc', ['xyz', 'ABD']), ['ABD', 'xyz'])
})

test('a long text is given in pieces, and others have their turn between them', async () => {
  let turns = 0
  const count = () => {
    turns += 1
    waiting = setImmediate(count)
  }
  let waiting = setImmediate(count)
  const piecesOf = async (length: number) => {
    turns = 0
    const pieces = await Array.fromAsync(textInTurns('x'.repeat(length)))
    return [pieces.map((piece) => piece.length), turns > 0]
  }
  assert.deepEqual(await piecesOf(0), [[], false])
  assert.deepEqual(await piecesOf(50_000), [[50_000], false])
  assert.deepEqual(await piecesOf(100_001), [[50_000, 50_000, 1], true])
  clearImmediate(waiting)
})
