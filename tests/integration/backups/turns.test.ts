import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { claimBackup, findLastBackup, settleBackup } from '#src/backups/backup-turn-store.ts'
import { sqliteEngine } from '#tests/support/database.ts'
import { postgresEngine } from '#tests/support/postgres-engine.ts'

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const NAME = 'daily-20261121T000000000Z.db'

for (const engine of [postgresEngine(), sqliteEngine()]) {
  after(() => engine.close())

  /** A database that several servers share. */
  const aTurn = async () => {
    const db = await engine.openMigrated()
    const age = (column: 'claimed_at' | 'made_at', ms: number) =>
      db
        .updateTable('daily_backups')
        .set({ [column]: new Date(Date.now() - ms).toISOString() })
        .execute()
    return { db, age }
  }

  test(`one server claims the daily backup, and settles only what it made (${engine.name})`, async () => {
    const { db } = await aTurn()
    assert.equal(await findLastBackup(db), undefined)
    assert.deepEqual([await claimBackup(db, 'a'), await claimBackup(db, 'b')], [true, false])
    assert.equal(await claimBackup(db, 'a'), false)
    await settleBackup(db)
    assert.equal(await findLastBackup(db), undefined)
    assert.equal(await claimBackup(db, 'b'), true)
    await settleBackup(db, { name: NAME, server: 'b' })
    const { madeAt = '', ...last } = (await findLastBackup(db)) ?? {}
    assert.deepEqual(last, { name: NAME, server: 'b' })
    assert.ok(Math.abs(Date.parse(madeAt) - Date.now()) < HOUR_MS, madeAt)
    assert.equal(await claimBackup(db, 'b'), false)
    await settleBackup(db)
    assert.deepEqual(await findLastBackup(db), { ...last, madeAt })
  })

  test(`the server of the last backup goes first, and another takes over two hours later (${engine.name})`, async () => {
    const { db, age } = await aTurn()
    await settleBackup(db, { name: NAME, server: 'b' })
    for (const [ageMs, server, claims] of [
      [24 * HOUR_MS - 30 * SECOND_MS, 'b', false],
      [24 * HOUR_MS + SECOND_MS, 'a', false],
      [24 * HOUR_MS + SECOND_MS, 'b', true],
      [26 * HOUR_MS - 30 * SECOND_MS, 'a', false],
      [26 * HOUR_MS + SECOND_MS, 'a', true],
    ] as const) {
      await age('made_at', ageMs)
      assert.equal(await claimBackup(db, server), claims, `${server} after ${ageMs} ms`)
      if (claims) await settleBackup(db)
    }
  })

  test(`the claim of a server that died ends after six hours (${engine.name})`, async () => {
    const { db, age } = await aTurn()
    await claimBackup(db, 'a')
    await age('claimed_at', 6 * HOUR_MS - 30 * SECOND_MS)
    assert.equal(await claimBackup(db, 'b'), false)
    await age('claimed_at', 6 * HOUR_MS + SECOND_MS)
    assert.equal(await claimBackup(db, 'b'), true)
    assert.equal(await claimBackup(db, 'a'), false)
  })

  test(`a last backup has a name, a server, and a time (${engine.name})`, async () => {
    const { db } = await aTurn()
    const whole = { name: NAME, server: 'a', made_at: '2026-11-21T00:00:00.000Z' }
    for (const missing of ['name', 'server', 'made_at']) {
      await db
        .updateTable('daily_backups')
        .set({ ...whole, [missing]: null })
        .execute()
      assert.equal(await findLastBackup(db), undefined, missing)
    }
  })
}
