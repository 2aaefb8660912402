import type { Ledger } from './ledger-store.ts'
import { COLUMNS, TABLES, type Table } from './ledger-tables.ts'

/** A row of the ledger in the newest release: its values in column order, or null if it was deleted. */
export interface LedgerRow {
  source: Table
  key: string
  row: unknown[] | null
}

/** Returns the rows that changed after a known release; all rows, without one. */
export function* listRowsSince(ledger: Ledger, id: string | undefined): Generator<LedgerRow> {
  for (const source of TABLES) {
    const [key = ''] = COLUMNS[source]
    const row = `json_array(${COLUMNS[source].map((column) => `one.${column}`).join()})`
    const rows =
      id === undefined
        ? ledger
            .prepare<[], { key: string; row: string }>(
              `select ${key} as key, ${row} as row from ${source} one`,
            )
            .iterate()
        : ledger
            .prepare<[string, string], { key: string; row: string | null }>(
              `select changed.key, case when one.${key} is null then null else ${row} end as row
               from (select distinct key from former
                 where source = ? and number > (select number from releases where id = ?)) changed
               left join ${source} one on one.${key} = changed.key`,
            )
            .iterate(source, id)
    for (const found of rows)
      yield { source, key: found.key, row: found.row === null ? null : JSON.parse(found.row) }
  }
}

/** Applies these rows. Call it while a release is being recorded. */
export function applyRows(ledger: Ledger, rows: Iterable<LedgerRow>): void {
  const statements = Object.fromEntries(
    TABLES.map((table) => [
      table,
      { save: prepareSave(ledger, table), forget: prepareForget(ledger, table) },
    ]),
  )
  for (const { source, key, row } of rows) {
    if (row) statements[source]?.save.run(row)
    else statements[source]?.forget.run(key)
  }
}

function prepareSave(ledger: Ledger, table: Table) {
  const columns = COLUMNS[table]
  const [key, ...others] = columns
  return ledger.prepare(
    `insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})
     on conflict (${key}) do update set ${others.map((column) => `${column} = excluded.${column}`).join()}`,
  )
}

function prepareForget(ledger: Ledger, table: Table) {
  return ledger.prepare(`delete from ${table} where ${COLUMNS[table][0]} = ?`)
}
