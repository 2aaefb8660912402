import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readHead } from '#src/lib/files/read-head.ts'
import { isMissing } from '#src/lib/is-missing.ts'
import { makeFolder } from '#src/lib/make-folder.ts'
import { syncPath, syncPathSync } from '#src/lib/sync-path.ts'
import { temporaryFolder } from '../../support/database.ts'

test('nothing is missing where something is, or where nobody may look', (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'a')
  assert.equal(isMissing(file), true)
  writeFileSync(file, 'x')
  assert.equal(isMissing(file), false)
  assert.equal(isMissing('a\0b'), false)
})

test('a folder is made with its parents, once; a file in its place is an error', (t) => {
  const folder = temporaryFolder(t)
  const deep = join(folder, 'a', 'b')
  makeFolder(deep)
  makeFolder(deep)
  assert.ok(statSync(deep).isDirectory())
  const file = join(folder, 'file')
  writeFileSync(file, 'x')
  assert.throws(() => makeFolder(file), { code: 'EEXIST' })
  assert.throws(() => makeFolder(join(file, 'below')))
})

test('the head of a file is read, or all of a shorter one', async (t) => {
  const file = join(temporaryFolder(t), 'a')
  writeFileSync(file, 'hello')
  assert.equal(String(await readHead(file, 3)), 'hel')
  assert.equal(String(await readHead(file, 9)), 'hello')
})

test('a path that is gone can’t be flushed, and no file stays open', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'a')
  assert.ok(!existsSync(file))
  await assert.rejects(syncPath(file), { code: 'ENOENT' })
  assert.throws(() => syncPathSync(file), { code: 'ENOENT' })
  writeFileSync(file, 'x')
  const before = openFiles()
  for (let time = 0; time < 3; time += 1) {
    await syncPath(file)
    syncPathSync(file)
    await readHead(file, 1)
  }
  assert.ok(openFiles() < before + 3)
})

// Linux lists them.
function openFiles(): number {
  return existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0
}
