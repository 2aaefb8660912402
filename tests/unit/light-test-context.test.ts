import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../support/database.ts'

const SETUP = join(import.meta.dirname, '../support/compile-cache.ts')

const LATE_ERRORS = `
import { setTimeout as wait } from 'node:timers/promises'
import { suite, test } from 'node:test'

suite('suite', async () => {
  await wait(1)
  await import('data:text/javascript,import { test } from "node:test"; test("imported", (t) => console.log(t.fullName))')
})
test('timer', async () => {
  setTimeout(() => { throw new Error('thrown') }, 1)
  await new Promise(() => setInterval(() => {}, 1_000))
})
test('promise', async () => {
  void wait(1).then(() => { throw new Error('rejected') })
  await wait(20)
})
test('outer', async (t) => {
  await wait(1)
  await t.test('inner', async () => {
    setImmediate(() => { throw new Error('inner') })
    await wait(20)
  })
})
test('ended', () => { setTimeout(() => { throw new Error('late') }, 5) })
test('next', () => wait(20))
`

test('an unawaited error fails only its own test', (t) => {
  const file = join(temporaryFolder(t), 'late.test.mjs')
  writeFileSync(file, LATE_ERRORS)
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', SETUP, '--test', '--test-timeout=10000', '--test-reporter=tap', '--test-force-exit', file],
    { encoding: 'utf8', env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
  )
  const results = [...stdout.matchAll(/^ *((?:not )?ok) \d+ - (\w+)$/gm)].map(
    ([, result, name]) => `${name}: ${result}`,
  )
  assert.deepEqual(results, [
    ...['imported: ok', 'suite: ok', 'timer: not ok', 'promise: not ok', 'inner: not ok', 'outer: not ok'],
    ...['ended: ok', 'next: ok'],
  ])
  assert.match(stdout, /# suite > imported/)
  assert.match(stdout, /# Error: Test "ended" .* generated asynchronous activity after the test ended/)
  assert.equal(status, 1)
})
