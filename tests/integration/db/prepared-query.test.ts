import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type At, prepareQuery } from '#src/db/statements/prepared-query.ts'
import { sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'

interface Challenge {
  challenge: string
  expires_at: string
}

const insert = prepareQuery((db, at: At<{ rows: Challenge[] }>) =>
  db.insertInto('spent_challenges').values(at('rows')).compile(),
)
const find = prepareQuery((db, at: At<{ names: string[]; before: string; most: number }>) =>
  db
    .selectFrom('spent_challenges')
    .select('challenge')
    .where('expires_at', '<', at('before'))
    .where('challenge', 'in', at('names'))
    .where('challenge', '!=', 'constant')
    .orderBy('challenge')
    .limit(at('most'))
    .compile(),
)
const update = prepareQuery((db, at: At<{ to: Partial<Challenge>; name: string }>) =>
  db.updateTable('spent_challenges').set(at('to')).where('challenge', '=', at('name')).compile(),
)

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: values are bound by name in any order`, async () => {
    const db = await engine.openMigrated()
    await insert(db, { rows: [{ challenge: 'a', expires_at: '1' }] })
    await insert(db, {
      rows: [
        { expires_at: '2', challenge: 'b' },
        { challenge: 'c', expires_at: '3' },
      ],
    })
    await insert(db, { rows: [{ expires_at: '4', challenge: 'd' }] })
    const names = async (values: { names: string[]; before: string; most: number }) =>
      (await find(db, values)).rows.map(({ challenge }) => challenge)
    assert.deepEqual(await names({ names: ['a', 'b', 'c', 'd'], before: '4', most: 9 }), ['a', 'b', 'c'])
    assert.deepEqual(await names({ most: 1, before: '9', names: ['c', 'd'] }), ['c'])
    assert.deepEqual(await names({ before: '9', most: 9, names: ['d'] }), ['d'])
  })

  test(`${engine.name}: moving one key writes no other column`, async () => {
    const db = await engine.openMigrated()
    await insert(db, { rows: [{ challenge: 'a', expires_at: '1' }] })
    await update(db, { to: { challenge: 'b', expires_at: '2' }, name: 'a' })
    await update(db, { name: 'b', to: { expires_at: '3', challenge: 'c' } })
    const rows = await db.selectFrom('spent_challenges').select(['challenge', 'expires_at']).execute()
    assert.deepEqual(rows, [{ challenge: 'c', expires_at: '3' }])
  })
}
