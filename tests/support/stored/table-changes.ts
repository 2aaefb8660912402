import { existsSync, readdirSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { Config } from '#src/config.ts'

interface Row {
  /** Its primary key as used in changes: without hashes. */
  name: string
  json: string
}

/** Every row by its primary key, by table. */
export type Tables = ReadonlyMap<string, ReadonlyMap<string, Row>>

// Tables maintained by triggers or in the background: the search index, change logs, and counters of SQLite and of
// the cleanup.
const DERIVED = /^(sqlite_|submission_search|(content|lead)_changes$|lead_counts$|removals$)/

/** Reads everything stored in an SQLite database, and visitors' files as the table `files`. */
export function readTables({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): Tables {
  const database = new Database(databaseUrl.replace(/^file:/, ''), { readonly: true })
  try {
    const names = database
      .prepare("select name from sqlite_master where type = 'table' order by name")
      .pluck()
      .all()
    const tables = (names as string[])
      .filter((name) => !DERIVED.test(name))
      .map((name) => [name, readRows(database, name)] as const)
    return new Map([...tables, ['files', filesOf(`${dataDir}/uploads`)]])
  } finally {
    database.close()
  }
}

function readRows(database: Database.Database, table: string): Map<string, Row> {
  const columns = database.pragma(`table_info(${table})`) as { name: string; pk: number }[]
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => name)
  const shown = keys.filter((name) => !name.endsWith('_sha256'))
  const rows = database.prepare(`select * from "${table}"`).all() as Record<string, unknown>[]
  const textOf = (row: Record<string, unknown>, names: readonly string[]) =>
    names.map((name) => row[name]).join(' ')
  return new Map(
    rows.map((row) => [textOf(row, keys), { name: textOf(row, shown), json: JSON.stringify(row) }]),
  )
}

// The first upload creates the folder.
function filesOf(folder: string): Map<string, Row> {
  if (!existsSync(folder)) return new Map()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = files.map(({ name, parentPath }) => `${parentPath.slice(folder.length + 1)}/${name}`)
  return new Map(paths.map((path) => [path, { name: path, json: '' }]))
}

/** Each row that differs, such as `form_webhooks 7 changed`; of those that are new the table alone: `forms added`. */
export function listChanges(before: Tables, after: Tables): string[] {
  return [...after]
    .flatMap(([table, now]) =>
      changesOf(before.get(table) ?? new Map(), now).map((text) => `${table} ${text}`),
    )
    .sort()
}

function changesOf(before: ReadonlyMap<string, Row>, after: ReadonlyMap<string, Row>): string[] {
  const removed = [...before].flatMap(([key, { name }]) => (after.has(key) ? [] : [`${name} removed`]))
  const others = [...after].flatMap(([key, { name, json }]) => {
    const former = before.get(key)
    if (!former) return ['added']
    return former.json === json ? [] : [`${name} changed`]
  })
  return [...removed, ...others]
}

/** The keys of the rows that a table has more than before. */
export function keysAdded(before: Tables, after: Tables, table: string): string[] {
  return [...(after.get(table)?.keys() ?? [])].filter((key) => !before.get(table)?.has(key))
}
