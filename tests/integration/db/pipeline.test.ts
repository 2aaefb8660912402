import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { CompiledQuery } from 'kysely'
import { runTogether, runWithCommit } from '#src/db/postgres/pipeline.ts'
import type { Db } from '#src/db/schema.ts'
import { isConstraintViolation } from '#src/db/storage-failure.ts'
import { sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: statements that run together see each other, and return their own results`, async () => {
    const db = await engine.openMigrated()
    const results = await db
      .transaction()
      .execute((trx) => runTogether(trx, [add(trx, 'a'), list(trx), add(trx, 'b'), list(trx)]))
    const read = results.map(({ rows }) => rows.map((row) => Object.values(row as object)[0]))
    assert.deepEqual([read[1], read[3]], [['a'], ['a', 'b']])
    assert.deepEqual(await challenges(db), ['a', 'b'])
  })

  test(`${engine.name}: the first failure of statements that run together undoes the transaction`, async () => {
    const db = await engine.openMigrated()
    const failing = db
      .transaction()
      .execute((trx) => runTogether(trx, [add(trx, 'a'), add(trx, 'a'), add(trx, 'b')]))
    await assert.rejects(failing, (error) => isConstraintViolation(error))
    assert.deepEqual(await challenges(db), [])
  })

  test(`${engine.name}: statements that run with the commit are stored together or not at all`, async () => {
    const db = await engine.openMigrated()
    const run = (...names: string[]) =>
      db.transaction().execute(async (trx) => {
        await trx.executeQuery(add(trx, `${names.length}`))
        await runWithCommit(
          trx,
          names.map((name) => add(trx, name)),
        )
      })
    await run('a', 'b')
    await run()
    assert.deepEqual(await challenges(db), ['0', '2', 'a', 'b'])
    await assert.rejects(run('c', 'a', 'd'), (error) => isConstraintViolation(error))
    assert.deepEqual(await challenges(db), ['0', '2', 'a', 'b'])
  })

  test(`${engine.name}: a transaction that fails keeps its own error and its connection`, async () => {
    const db = await engine.openMigrated()
    const failing = db.transaction().execute(async (trx) => {
      await runWithCommit(trx, [add(trx, 'a')])
      throw new Error('stop')
    })
    await assert.rejects(failing, /^Error: stop$/)
    assert.deepEqual(await challenges(db), [])
    const isolated = db.transaction().setIsolationLevel('serializable')
    assert.deepEqual(await isolated.execute((trx) => challenges(trx)), [])
  })
}

function add(db: Db, challenge: string): CompiledQuery<unknown> {
  return db.insertInto('spent_challenges').values({ challenge, expires_at: '1' }).compile()
}

function list(db: Db): CompiledQuery<unknown> {
  return db.selectFrom('spent_challenges').select('challenge').orderBy('challenge').compile()
}

async function challenges(db: Db) {
  const rows = await db.selectFrom('spent_challenges').select('challenge').orderBy('challenge').execute()
  return rows.map(({ challenge }) => challenge)
}
