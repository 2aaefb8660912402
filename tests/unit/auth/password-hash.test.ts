import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, verifyPassword } from '#src/auth/password-hash.ts'

test('a new password is hashed with the minimum cost that OWASP recommends', async () => {
  assert.match(await hashPassword('correct horse battery'), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('a password typed with composed or separate accents is the same', async () => {
  const hash = await hashPassword('Crème brûlée à la carte')
  assert.equal(await verifyPassword('Crème brûlée à la carte'.normalize('NFD'), hash), true)
  assert.equal(await verifyPassword('Creme brulee a la carte', hash), false)
})

test('a hash in an unknown format is an error, not a wrong password', async () => {
  const hash = await hashPassword('correct horse battery')
  for (const other of ['$2b$12$abcdefghijklmnopqrstuv', `${hash}=`, hash.replace('argon2id', 'argon2i'), ''])
    await assert.rejects(verifyPassword('correct horse battery', other), /not in a known form/)
})

test('half a megabyte of accents is refused as fast as any wrong password', async () => {
  const hash = await hashPassword('correct horse battery')
  const startedAt = process.cpuUsage()
  assert.equal(await verifyPassword('\u0301\u0316'.repeat(262_144), hash), false)
  const { user } = process.cpuUsage(startedAt)
  assert.ok(user < 2_000_000, `took ${user / 1_000} ms of the processor`)
})
