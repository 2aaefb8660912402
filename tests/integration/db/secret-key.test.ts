import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { acceptSecretKey, openSecretBox } from '#src/db/secret-key-store.ts'
import { fixedRing } from '#src/lib/key-ring.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { runScript } from '../../support/running-site.ts'

const [OURS, OTHER] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]

test('a database accepts only the key it was created with', async (t) => {
  const db = await openTestDatabase(t)
  const sealed = (await openSecretBox(db, fixedRing(OURS))).seal('a text', 'a place')
  assert.equal((await openSecretBox(db, fixedRing(OURS))).open(sealed, 'a place'), 'a text')
  await assert.rejects(
    openSecretBox(db, fixedRing(OTHER)),
    /^Error: SECRET_KEY is not the key .* secret\.key .* accept-key/,
  )
  assert.equal((await openSecretBox(db, fixedRing(OURS))).open(sealed, 'a place'), 'a text')
})

test('accepting a key in place of a lost one makes it the database’s key', async (t) => {
  const db = await openTestDatabase(t)
  await openSecretBox(db, fixedRing(OURS))
  await acceptSecretKey(db, fixedRing(OTHER))
  await openSecretBox(db, fixedRing(OTHER))
  await assert.rejects(openSecretBox(db, fixedRing(OURS)), /SECRET_KEY/)
})

test('of two programs starting with different keys one is refused', async (t) => {
  const db = await openTestDatabase(t)
  const outcomes = await Promise.allSettled([
    openSecretBox(db, fixedRing(OURS)),
    openSecretBox(db, fixedRing(OTHER)),
  ])
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

test('contract §2 a server that can’t read its database’s secrets leaves no new key behind', async (t) => {
  const [dataDir, freshDir] = [temporaryFolder(t), temporaryFolder(t)]
  const environment = { DATABASE_URL: `file:${join(dataDir, 'signpost.db')}` }
  const first = await runScript('content-sync.ts', { dataDir, environment })
  assert.equal(first.code, 0, first.output)
  assert.ok(existsSync(join(dataDir, 'secret.key')))
  const second = await runScript('start.ts', { dataDir: freshDir, environment })
  assert.match(second.output, /SECRET_KEY is not the key that this database was created with/)
  assert.equal(second.code, 1)
  assert.equal(existsSync(join(freshDir, 'secret.key')), false)
})

test('contract §2 a database gets its key once the key is on disk', async (t) => {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const sealed = (await openSecretBox(db, readConfig({ DATA_DIR: dataDir }).secretKeys)).seal(
    'a text',
    'a place',
  )
  const again = await openSecretBox(db, readConfig({ DATA_DIR: dataDir }).secretKeys)
  assert.equal(again.open(sealed, 'a place'), 'a text')
})
