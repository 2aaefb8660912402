import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { insertAll, insertRows } from '#src/db/statements/insert-rows.ts'
import { sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'

const TEXTS = ['“quoted”', "it's", '\\', '{"a":1}', '\ttab\n', '😀', '\\ud800', '']

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: rows are inserted as given, whatever they contain`, async () => {
    const db = await engine.openMigrated()
    const rows = TEXTS.map((challenge, index) => ({ challenge, expires_at: `${index}` }))
    await insertRows(db, 'spent_challenges', rows).execute()
    const stored = await db.selectFrom('spent_challenges').selectAll().orderBy('expires_at').execute()
    assert.deepEqual(
      stored.map(({ challenge }) => challenge),
      TEXTS,
    )
  })

  test(`${engine.name}: half of a surrogate pair becomes a replacement character`, async () => {
    const db = await engine.openMigrated()
    await insertAll(db, 'spent_challenges', [{ challenge: 'a\ud800b', expires_at: '1' }])
    const stored = await db.selectFrom('spent_challenges').select('challenge').executeTakeFirstOrThrow()
    assert.match(stored.challenge, /^a\ufffd+b$/)
  })

  test(`${engine.name}: any number of rows is inserted, and numbers, nulls, and conflicts are kept`, async () => {
    const db = await engine.openMigrated()
    for (const count of [0, 1, 200]) {
      const rows = Array.from({ length: count }, (_, index) => ({
        address_hash: `${count}-${index}`,
        posted_at: '2026-11-20T10:00:00.000Z',
        upload_bytes: index,
      }))
      await insertAll(db, 'recent_posts', rows)
      const stored = await db
        .selectFrom('recent_posts')
        .select('upload_bytes')
        .where('address_hash', 'like', `${count}-%`)
        .orderBy('upload_bytes')
        .execute()
      assert.deepEqual(
        stored.map(({ upload_bytes }) => upload_bytes),
        rows.map(({ upload_bytes }) => upload_bytes),
      )
    }
    const again = [{ challenge: 'a', expires_at: '1' }]
    for (const expected of [1, 0]) {
      const inserted = await insertRows(db, 'spent_challenges', again)
        .onConflict((conflict) => conflict.doNothing())
        .returning('challenge')
        .execute()
      assert.equal(inserted.length, expected)
    }
  })
}
