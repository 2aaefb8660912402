import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { connectSqlite } from '#src/db/connect.ts'
import { agoAsText, containsBytes, engineOf, jsonListOf, laterAsText, nowAsText } from '#src/db/dialects.ts'
import { countRemoval, findRemovals, setRewritten, setWordsCleaned } from '#src/db/removals-store.ts'
import { rewriteFile } from '#src/db/rewrite-file.ts'
import { findLastBeforeIn } from '#src/db/settled-rows-store.ts'
import { updateStatistics } from '#src/db/sqlite/plan-statistics.ts'
import { idGroups, inGroups, isAmong } from '#src/db/statements/prepared-query.ts'
import { truncateLog } from '#src/db/truncate-log.ts'
import { copyMigrated, openTestDatabase, sqliteEngine, temporaryFolder } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { insertRow } from './rows.ts'

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())
  const isSqlite = engine.name === 'SQLite'

  test(`${engine.name}: moments are UTC text with milliseconds`, async () => {
    const db = await engine.openMigrated()
    const kind = engineOf(db)
    const { rows } = await sql<{ now: string; ago: string; later: string }>`
      select ${nowAsText(kind)} as now, ${agoAsText(kind, 90)} as ago, ${laterAsText(kind, 3_600)} as later`.execute(
      db,
    )
    const [{ now, ago, later } = { now: '', ago: '', later: '' }] = rows
    for (const moment of [now, ago, later]) assert.match(moment, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const nowMs = Date.parse(now)
    assert.ok(Math.abs(Date.now() - nowMs) < 10_000, now)
    assert.ok(Math.abs(nowMs - 90_000 - Date.parse(ago)) < 2_000, ago)
    assert.ok(Math.abs(nowMs + 3_600_000 - Date.parse(later)) < 2_000, later)
  })

  test(`${engine.name}: bytes are found in a column, and rows become a JSON list`, async () => {
    const db = await engine.openMigrated()
    const kind = engineOf(db)
    const bytes = kind === 'sqlite' ? sql`x'00ff10'` : sql`'\\x00ff10'::bytea`
    for (const [wanted, isFound] of [
      [[0xff, 0x10], true],
      [[0x00], true],
      [[0x10, 0xff], false],
    ] as const) {
      const { rows } = await sql<{ found: unknown }>`
        select ${containsBytes(kind, 'content', Uint8Array.from(wanted))} as found
        from (select ${bytes} as content) as one`.execute(db)
      assert.equal(Boolean(rows[0]?.found), isFound, String(wanted))
    }
    const list = (where: string) =>
      sql<{ list: string | null }>`select ${jsonListOf(kind, ['id', 'word'], { orderBy: 'id' })} as list
        from (select 2 as id, 'b' as word union all select 1, 'a"') as words where ${sql.raw(where)}`.execute(
        db,
      )
    const listed = [
      { id: 1, word: 'a"' },
      { id: 2, word: 'b' },
    ]
    assert.deepEqual(JSON.parse((await list('1 = 1')).rows[0]?.list ?? ''), listed)
    assert.equal((await list('1 = 2')).rows[0]?.list, null)
  })

  test(`${engine.name}: the last settled row is found within a limit`, async () => {
    const db = await engine.openMigrated()
    const ids: number[] = []
    for (const day of ['01', '02', '04', '03']) {
      const submitted_at = `2026-11-${day}T10:00:00.000Z`
      ids.push(
        Number((await insertRow(db, 'form_submissions', { form_id: 1, data_json: '{}', submitted_at })).id),
      )
    }
    const find = findLastBeforeIn('form_submissions', 'submitted_at')
    const [first = 0, second, third, fourth = 0] = ids
    for (const [afterId, before, limit, expected] of [
      [0, '2026-11-04T10:00:00Z', 9, fourth],
      [0, '2026-11-04T10:00:00.001Z', 3, third],
      [0, '2026-11-30T10:00:00Z', 2, second],
      [first, '2026-11-02T10:00:00Z', 9, undefined],
      [0, '2026-10-01T10:00:00Z', 9, undefined],
      [fourth, '2026-11-30T10:00:00Z', 9, undefined],
    ] as const)
      assert.equal(await find(db, { afterId, before: new Date(before), limit }), expected, before)
  })

  test(`${engine.name}: IDs of a prepared query are found however many there are`, async () => {
    const db = await engine.openMigrated()
    for (const count of [0, 1, 3, 130]) {
      const ids = Array.from({ length: count }, (_, index) => index * 2)
      const groups = idGroups(db, ids)
      assert.ok(isSqlite || groups.length === Math.min(count, 1))
      const found: number[] = []
      for (const group of groups) {
        const { rows } = await sql<{ id: number }>`
          with recursive ids (id) as (select 0 union all select id + 1 from ids where id < 300)
          select ids.id from ids where ${isAmong('ids.id', group)}`.execute(db)
        found.push(...rows.map(({ id }) => id))
      }
      assert.deepEqual(
        found.sort((a, b) => a - b),
        ids,
      )
    }
  })

  test(`${engine.name}: removals are counted where the file keeps what was removed`, async () => {
    const db = await engine.openMigrated()
    if (!isSqlite) {
      assert.deepEqual([await findRemovals(db), await countRemoval(db)], [undefined, undefined])
      assert.equal(await truncateLog(db), true)
      await updateStatistics(db)
      return
    }
    assert.deepEqual(await findRemovals(db), { removed: 0, wordsCleaned: 0, rewritten: 0 })
    assert.deepEqual([await countRemoval(db), await countRemoval(db)], [1, 2])
    await setWordsCleaned(db, 1)
    assert.deepEqual(await findRemovals(db), { removed: 2, wordsCleaned: 1, rewritten: 0 })
    await rewriteFile(db)
    assert.deepEqual(await findRemovals(db), { removed: 2, wordsCleaned: 1, rewritten: 2 })
    await setRewritten(db, 1)
    assert.equal((await findRemovals(db))?.rewritten, 1)
  })
}

test('rows go in groups of 64 and less, in their order', () => {
  for (const [count, sizes] of [
    [0, []],
    [1, [1]],
    [63, [32, 16, 8, 4, 2, 1]],
    [64, [64]],
    [130, [64, 64, 2]],
  ] as const) {
    const rows = Array.from({ length: count }, (_, index) => index)
    const groups = inGroups(rows)
    assert.deepEqual(
      groups.map(({ length }) => length),
      sizes,
    )
    assert.deepEqual(groups.flat(), rows)
  }
})

test('the log is emptied unless another process reads, and later statements wait as before', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  await copyMigrated(path)
  const [db, reader] = [connectSqlite(path), connectSqlite(path)]
  t.after(() => Promise.all([db.destroy(), reader.destroy()]))
  const write = () => sql`update removals set removed = removed + 1`.execute(db)
  const logBytes = () => statSync(`${path}-wal`).size
  await write()
  await reader.connection().execute(async (reading) => {
    await sql`begin`.execute(reading)
    await sql`select * from removals`.execute(reading)
    await write()
    assert.equal(await truncateLog(db), false)
    assert.ok(logBytes() > 0)
    await sql`commit`.execute(reading)
  })
  assert.equal(await truncateLog(db), true)
  assert.equal(logBytes(), 0)
  assert.deepEqual((await sql`pragma busy_timeout`.execute(db)).rows, [{ timeout: 5_000 }])
})

test('statistics are of the indexes of tables that changed, but not of uneven ones', async (t) => {
  const db = await openTestDatabase(t)
  const counted = async () => {
    const { rows } = await sql<{ tbl: string }>`select distinct tbl from sqlite_stat1 order by tbl`
      .execute(db)
      .catch(() => ({ rows: [] }))
    return rows.map(({ tbl }) => tbl)
  }
  const lead = { form_id: 1, data_json: '{}', submitted_at: '2026-11-20T10:00:00.000Z', source: 'direct' }
  await db
    .insertInto('form_submissions')
    .values(Array.from({ length: 300 }, (_, index) => ({ ...lead, location_id: index })))
    .execute()
  const sum = { period: '2026', dimension: 'all' as const, subject: '' }
  const places = Array.from({ length: 300 }, (_, index) => `#${index}`)
  const leads = places.map((place) => ({ ...sum, place, leads: 1 }))
  await db.insertInto('lead_counts').values(leads).execute()
  const views = places.map((place) => ({ ...sum, place, views: 1, taps: 1 }))
  await db.insertInto('traffic_counts').values(views).execute()
  await updateStatistics(db, { signal: AbortSignal.abort() })
  assert.deepEqual(await counted(), [])
  await updateStatistics(db)
  const tables = await counted()
  assert.ok(tables.includes('form_submissions'), String(tables))
  const uneven = tables.filter((table) => ['lead_counts', 'traffic_counts'].includes(table))
  assert.deepEqual(uneven, [])
  // The connection still knows these, so they are not counted again.
  await sql`delete from sqlite_stat1 where tbl = 'form_submissions'`.execute(db)
  await updateStatistics(db)
  assert.ok(!(await counted()).includes('form_submissions'))
})
