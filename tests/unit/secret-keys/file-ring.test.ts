import assert from 'node:assert/strict'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openFileRing, openNewRing } from '#src/secret-keys/file-ring.ts'
import { keepFormerKey, readFormerKeys, readKeyFile, writeKeyFile } from '#src/secret-keys/key-file.ts'
import { temporaryFolder } from '../../support/database.ts'

const [NEW, FORMER, OTHER] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]

function aKeyFile(t: TestContext, ...keys: Buffer[]) {
  const folder = temporaryFolder(t)
  const path = join(folder, 'secret.key')
  writeKeyFile(path, keys)
  return { folder, path }
}

test('a key file is private, has one key per line, and leaves no other file', (t) => {
  const { folder, path } = aKeyFile(t, NEW, FORMER)
  assert.deepEqual(readKeyFile(path), [NEW, FORMER])
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(folder), ['secret.key'])
  writeFileSync(path, `\r\n  ${NEW.toString('base64')} \r\n`)
  assert.deepEqual(readKeyFile(path), [NEW])
  for (const damaged of ['', '\n', `${NEW.toString('base64')}\nshort\n`]) {
    writeFileSync(path, damaged)
    assert.throws(() => readKeyFile(path), /secret\.key does not contain 32 bytes in base64/)
  }
})

test('the next command removes key copies left by a killed one', (t) => {
  const { folder, path } = aKeyFile(t, NEW, FORMER)
  const left = ['secret.key.4711', 'former.keys.12']
  const others = ['secret.key.12th', 'secret.key.lock', 'secret.key.no1']
  for (const name of [...left, ...others]) writeFileSync(join(folder, name), 'a key')
  keepFormerKey(folder, FORMER)
  writeKeyFile(path, [NEW])
  assert.deepEqual(readdirSync(folder).sort(), ['former.keys', 'secret.key', ...others])
})

test('a running program follows its key file at the start and the end of a rotation', (t) => {
  const { path } = aKeyFile(t, FORMER)
  const ring = openFileRing(path)
  const [former] = ring()
  writeKeyFile(path, [NEW, FORMER])
  assert.deepEqual(ring(), [NEW, FORMER])
  assert.equal(ring()[1], former, 'the same object, by which derived keys are remembered')
  writeKeyFile(path, [NEW])
  assert.deepEqual(ring(), [NEW])
})

test('a missing, damaged, or foreign key file changes nothing for a running program', (t) => {
  const { path } = aKeyFile(t, FORMER)
  const ring = openFileRing(path)
  writeFileSync(path, 'damaged')
  assert.deepEqual(ring(), [FORMER])
  writeKeyFile(path, [OTHER])
  assert.deepEqual(ring(), [FORMER])
  rmSync(path)
  assert.deepEqual(ring(), [FORMER])
  writeKeyFile(path, [NEW, FORMER])
  assert.deepEqual(ring(), [NEW, FORMER])
})

test('of two new keys the one kept first becomes that of both programs', (t) => {
  const path = join(temporaryFolder(t), 'secret.key')
  const [first, second] = [openNewRing(path), openNewRing(path)]
  const [key] = first()
  assert.notDeepEqual(second(), [key])
  first.keep?.()
  second.keep?.()
  for (const ring of [first, second]) assert.deepEqual(ring(), [key])
  assert.deepEqual(readKeyFile(path), [key])
})

test('former keys are kept once each, the newest first', (t) => {
  const { folder } = aKeyFile(t, NEW)
  assert.deepEqual(readFormerKeys(folder), [])
  for (const key of [OTHER, FORMER, OTHER, OTHER]) keepFormerKey(folder, key)
  assert.deepEqual(readFormerKeys(folder), [OTHER, FORMER])
})
