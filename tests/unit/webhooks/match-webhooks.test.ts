import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchWebhooks } from '#src/webhooks/definition/match-webhooks.ts'

const at = (name: string, url = 'https://a.example.com', method = 'POST') => ({ name, url, method })

/** For each given webhook the position of the stored one that it is. */
function matched(given: readonly ReturnType<typeof at>[], stored: readonly ReturnType<typeof at>[]) {
  const matches = matchWebhooks(given, stored)
  return given.map((one) => {
    const found = matches.get(one)
    return found && stored.indexOf(found)
  })
}

const [A, B, C] = ['https://a.example.com', 'https://b.example.com', 'https://c.example.com']

for (const [what, given, stored, expected] of [
  ['nothing', [], [at('x')], []],
  ['a new one', [at('x')], [], [undefined]],
  ['the same ones in another order', [at('y', B), at('x', A)], [at('x', A), at('y', B)], [1, 0]],
  ['one that moved', [at('x', C)], [at('x', A)], [0]],
  ['one that was renamed', [at('new', B)], [at('x', A), at('y', B)], [1]],
  ['one that was renamed and moved', [at('new', C)], [at('x', A)], [undefined]],
  ['another method at the same address', [at('new', A, 'PUT')], [at('x', A)], [undefined]],
  ['two of one name, by their address', [at('x', B), at('x', A)], [at('x', A), at('x', B)], [1, 0]],
  ['two of one name, one of which moved', [at('x', C), at('x', A)], [at('x', A), at('x', B)], [1, 0]],
  ['two of one name that both moved', [at('x', C), at('x', B)], [at('x', A), at('x', A)], [0, 1]],
  ['names before addresses', [at('y', A)], [at('x', A), at('y', B)], [1]],
  ['names that changed places', [at('y', A), at('x', B)], [at('x', A), at('y', B)], [1, 0]],
  ['more than are stored', [at('x', A), at('x', A)], [at('x', A)], [0, undefined]],
] as const)
  test(`contract §3 webhooks of a file keep their queue: ${what}`, () => {
    assert.deepEqual(matched(given, stored), expected)
  })
