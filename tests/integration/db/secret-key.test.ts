import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptSecretKey, openSecretBox } from '#src/db/secret-key-store.ts'
import { fixedRing } from '#src/lib/key-ring.ts'
import { openTestDatabase } from '../../support/database.ts'

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
