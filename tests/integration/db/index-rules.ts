import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { engineOf } from '#src/db/dialects.ts'
import type { Schema } from '#src/db/schema.ts'
import type { TestEngine } from '../../support/database.ts'

interface Index {
  table: string
  name: string
  columns: string
  isUnique: boolean
  /** The condition of a partial index. */
  condition: string | null
}

/** What holds for the indexes of every table, on one engine. */
export function testIndexRules(engine: TestEngine) {
  describe(`indexes on ${engine.name}`, () => {
    let indexes: Index[]
    let references: { table: string; columns: string }[]
    before(async () => {
      const db = await engine.openMigrated()
      indexes = await listIndexes(db)
      references = await listReferences(db)
    })

    test('every foreign key has an index', () => {
      assert.ok(references.length > 20, `${references.length} references were found`)
      const missing = references.filter(({ table, columns }) => {
        const first = columns.split(',')[0]
        const holdsAll = ({ condition }: Index) =>
          condition === null || condition.includes(`${first} is not null`)
        return !indexes.some(
          (index) => index.table === table && holdsAll(index) && startsWith(index.columns, columns),
        )
      })
      assert.deepEqual(missing, [])
    })

    test('no index is a prefix of another', () => {
      assert.ok(indexes.length > 40, `${indexes.length} indexes were found`)
      const redundant = indexes.filter(
        (index) =>
          !index.isUnique &&
          indexes.some(
            (other) =>
              other.name !== index.name &&
              other.table === index.table &&
              other.condition === index.condition &&
              startsWith(other.columns, index.columns),
          ),
      )
      assert.deepEqual(
        redundant.map(({ name }) => name),
        [],
      )
    })
  })
}

function startsWith(columns: string, beginning: string): boolean {
  return `${columns},`.startsWith(`${beginning},`)
}

async function listIndexes(db: Kysely<Schema>): Promise<Index[]> {
  const query =
    engineOf(db) === 'sqlite'
      ? sql<Index>`select m.name as "table", i.name, i."unique" as "isUnique",
            group_concat(c.name, ',' order by c.seqno) as columns,
            (select lower(substr(sql, instr(lower(sql), 'where') + 6)) from sqlite_schema
              where name = i.name and i.partial) as condition
          from sqlite_schema m, pragma_index_list(m.name) i, pragma_index_info(i.name) c
          where m.type = 'table' group by m.name, i.name
          union all select m.name, m.name || '.rowid', 1, c.name, null
          from sqlite_schema m, pragma_table_info(m.name) c
          where m.type = 'table' and c.pk = 1 and lower(c.type) = 'integer'`
      : sql<Index>`select t.relname as "table", x.relname as name, i.indisunique as "isUnique",
            string_agg(coalesce(a.attname, '(expression)'), ',' order by k.n) as columns,
            lower(pg_get_expr(i.indpred, i.indrelid)) as condition
          from pg_index i join pg_class t on t.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
          cross join unnest(i.indkey) with ordinality as k(attnum, n)
          left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum and k.attnum > 0
          where t.relnamespace = 'public'::regnamespace
          group by t.relname, x.relname, i.indisunique, i.indpred, i.indrelid`
  const { rows } = await query.execute(db)
  return rows.map((row) => ({ ...row, isUnique: Boolean(row.isUnique) }))
}

async function listReferences(db: Kysely<Schema>) {
  const query =
    engineOf(db) === 'sqlite'
      ? sql<{ table: string; columns: string }>`select m.name as "table",
            group_concat(f."from", ',' order by f.seq) as columns
          from sqlite_schema m, pragma_foreign_key_list(m.name) f where m.type = 'table' group by m.name, f.id`
      : sql<{ table: string; columns: string }>`select t.relname as "table",
            string_agg(a.attname, ',' order by k.n) as columns
          from pg_constraint c join pg_class t on t.oid = c.conrelid
          cross join unnest(c.conkey) with ordinality as k(attnum, n)
          join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum
          where c.contype = 'f' and t.relnamespace = 'public'::regnamespace group by t.relname, c.oid`
  return (await query.execute(db)).rows
}
