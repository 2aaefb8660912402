import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { tryFileLock, withFileLock } from '#src/db/file-lock.ts'
import { temporaryFolder } from '../../support/database.ts'

test('work under one lock never overlaps, and the result comes back', async (t) => {
  const path = join(temporaryFolder(t), 'a', 'b.lock')
  let inside = 0
  const results = await Promise.all(
    [1, 2, 3, 4].map((number) =>
      withFileLock(path, async () => {
        inside += 1
        assert.equal(inside, 1)
        await delay(10)
        inside -= 1
        return number
      }),
    ),
  )
  assert.deepEqual(results, [1, 2, 3, 4])
})

test('work that throws releases the lock', async (t) => {
  const path = join(temporaryFolder(t), 'b.lock')
  await assert.rejects(
    withFileLock(path, () => Promise.reject(new Error('no'))),
    /no/,
  )
  assert.equal(await withFileLock(path, async () => 'free'), 'free')
})

test('a lock writes nothing, so a full disk does not prevent a backup to another one', async (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'b.lock')
  const written = await withFileLock(path, async () => [readdirSync(folder), statSync(path).size])
  assert.deepEqual(written, [['b.lock'], 0])
})

test('no other system user can hold a lock', async (t) => {
  const path = join(temporaryFolder(t), 'b.lock')
  const mode = await withFileLock(path, async () => statSync(path).mode & 0o777)
  assert.equal(mode, 0o600)
})

test('a process killed while it holds the lock leaves it free', async (t) => {
  const path = join(temporaryFolder(t), 'b.lock')
  const module = new URL('../../../src/db/file-lock.ts', import.meta.url).href
  const script = `const { withFileLock } = await import('${module}')
    await withFileLock(process.argv[1], async () => { console.log('held'); await new Promise((resolve) => setTimeout(resolve, 60_000)) })`
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', script, path])
  t.after(() => holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  assert.equal(tryFileLock(path), undefined)
  // It tries at once, and again and again.
  const waiting = withFileLock(path, async () => holder.killed)
  holder.kill('SIGKILL')
  assert.equal(await waiting, true, 'it was held until then')
})
