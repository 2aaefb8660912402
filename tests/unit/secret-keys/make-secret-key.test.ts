import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { makeSecretKey } from '#src/secret-keys/make-secret-key.ts'
import { temporaryFolder } from '../../support/database.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'
import { readCalls, tracingTo, withoutStrace } from '../../support/traced-server.ts'

test('the key is created once, privately, and leaves no other file', (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'secret.key')
  makeSecretKey(path)
  const key = readFileSync(path, 'utf8')
  assert.match(key, /^[\w+/]{43}=\n$/)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  makeSecretKey(path)
  assert.equal(readFileSync(path, 'utf8'), key)
  assert.deepEqual(readdirSync(folder), ['secret.key'])
})

test('a key file created meanwhile is kept', (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'secret.key')
  // It looks free until the key is linked there.
  symlinkSync(join(folder, 'elsewhere'), path)
  makeSecretKey(path)
  assert.equal(readlinkSync(path), join(folder, 'elsewhere'))
  assert.deepEqual(readdirSync(folder), ['secret.key'])
})

// A key that was cut short by a power cut would lose every webhook's secret, which the synced database keeps.
test('the key is on disk before it has its name, and its name before it is used', {
  skip: withoutStrace,
}, async (t) => {
  const folder = join(temporaryFolder(t), 'data')
  mkdirSync(folder)
  const log = join(folder, '../strace.log')
  const module = pathToFileURL(join(PROJECT_DIR, 'src/secret-keys/make-secret-key.ts')).href
  const work = `import { makeSecretKey } from '${module}'; makeSecretKey('${folder}/secret.key')`
  const traced = [...tracingTo(log), process.execPath, '--input-type=module', '-e', work]
  assert.equal(spawnSync('strace', traced).status, 0)
  const steps = (await readCalls(log))
    .filter((call) => call.includes(folder) && /\b(write|pwrite64|fsync|fdatasync|link)\(/.test(call))
    .map((call) => /\b(write|pwrite64|fsync|fdatasync|link)\(/.exec(call)?.[1])
  assert.deepEqual(steps, ['write', 'fsync', 'link', 'fsync'])
})
