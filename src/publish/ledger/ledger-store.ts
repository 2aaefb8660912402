import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDamage, openSqliteFile, type SqliteFile } from '../../db/sqlite/open-sqlite-file.ts'
import { isMissing } from '../../lib/is-missing.ts'
import type { KnownContent } from '../../site/content/site-content.ts'
import type { LoggedChange, LogPosition } from '../changes/change-store.ts'
import type { QualitySummary } from '../quality-summary.ts'
import { COLUMNS, TABLES, type Table } from './ledger-tables.ts'

const FORMAT = 3
const SCHEMA = `
  drop table if exists pages; drop table if exists files; drop table if exists sources; drop table if exists ranges;
  drop table if exists sitemaps; drop table if exists releases; drop table if exists former;
  drop table if exists writing;
  create table pages (
    path text primary key, key text not null, fingerprint text not null, own text not null, bytes_hash text not null,
    size integer not null, modified_at text not null, quality text not null, is_listed integer not null, former text,
    picture text, entry integer, frame text, own_text text, reads text, part integer not null
  ) strict, without rowid;
  create index pages_by_entry on pages (entry) where entry is not null;
  create index pages_listed on pages (part, modified_at) where is_listed = 1;
  create index pages_by_picture on pages (picture) where picture is not null;
  create table files (file text primary key, hash text not null, size integer not null) strict, without rowid;
  create table sources (key text primary key, hash text not null, label text not null) strict, without rowid;
  create table sitemaps (path text primary key, modified_at text not null) strict, without rowid;
  create table releases (id text primary key, number integer not null unique, facts text not null) strict, without rowid;
  create table former (
    number integer not null, source text not null, key text not null, row text, primary key (number, source, key)
  ) strict, without rowid;
  create table writing (number integer not null) strict;
  insert into writing values (0);
  ${TABLES.map(triggersOf).join('\n')}
  pragma user_version = ${FORMAT};`

// Ledgers of earlier versions had an index without times: a sitemap of 8,000 of 1,000,000 pages took 160 ms. Does nothing
// if it was replaced.
const REPLACED_INDEX = `
  create index if not exists pages_listed on pages (part, modified_at) where is_listed = 1;
  drop index if exists pages_by_part;`

/**
 * Record of the newest release: its pages, other files, and sources, plus the differences of the kept releases. One
 * file for all releases, `DATA_DIR/ledger.db`.
 */
export type Ledger = SqliteFile

export type Statement = ReturnType<Ledger['prepare']>

export function ledgerFile(dataDir: string): string {
  return join(dataDir, 'ledger.db')
}

export function openLedger(file: string): Ledger {
  const ledger = openSqliteFile(file)
  if (ledger.pragma('user_version', { simple: true }) !== FORMAT) clearLedger(ledger)
  return ledger
}

/** Runs work with a folder's ledger. A damaged ledger is replaced by an empty one. */
export async function withLedger<T>(dataDir: string, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const file = ledgerFile(dataDir)
  const attempt = async () => {
    using ledger = openLedger(file)
    ledger.exec(REPLACED_INDEX)
    return await work(ledger)
  }
  try {
    return await attempt()
  } catch (error) {
    if (!isDamage(error)) throw error
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
    return attempt()
  }
}

/** Opens the ledger for a plan; changes to it are discarded. `dir` is a temporary folder. */
export function openPlanLedger(dataDir: string, dir: string, release: { id: string } | undefined): Ledger {
  const ledger = isMissing(ledgerFile(dataDir)) ? undefined : openLedger(ledgerFile(dataDir))
  if (release && ledger && knowsRelease(ledger, release.id)) return ledger.exec('begin')
  ledger?.close()
  return openLedger(ledgerFile(dir))
}

function clearLedger(ledger: Ledger): void {
  ledger.transaction(() => ledger.exec(SCHEMA)).immediate()
}

// Keeps only the first change of a row: its value before the release.
function triggersOf(table: Table): string {
  const [key = ''] = COLUMNS[table]
  const row = `json_array(${COLUMNS[table].map((column) => `old.${column}`).join()})`
  const trigger = (name: string, event: string, values: string) =>
    `create trigger ${table}_${name} after ${event} on ${table} when (select number from writing) > 0 begin
       insert or ignore into former values ((select number from writing), '${table}', ${values});
     end;`
  return [
    trigger('insert', 'insert', `new.${key}, null`),
    trigger('update', `update of ${COLUMNS[table].join()}`, `old.${key}, ${row}`),
    trigger('delete', 'delete', `old.${key}, ${row}`),
  ].join('\n')
}

/** Facts of a release besides its pages. */
export interface ReleaseFacts extends KnownContent {
  /** Changes with the program, its templates, and `SITE_URL`. */
  program: string
  /** Position in the log up to which all changes are included, except those that a schedule left out. */
  position: LogPosition
  /** Changes after the position that are included, because they were published on their own. */
  ahead?: readonly LoggedChange[]
  /** The time whose content it shows; UTC text. */
  shownAt: string
  hasArchives: boolean
  pages: number
  /** Number of pages in the sitemaps. */
  listed: number
  bytes: number
  quality: QualitySummary
  /** Size in bytes of the file with the rows that it shows: see `continueLiveContent`. */
  liveBytes: number
}

/**
 * Returns the facts of the release that the next one starts from. After a rollback, or if the newest release never
 * went live, the ledger undoes later changes. Undefined, with an empty ledger, if it doesn't know the release.
 */
export function findBase(ledger: Ledger, release: { id: string } | undefined): ReleaseFacts | undefined {
  const base = ledger
    .prepare<[string?], { number: number; facts: string }>('select number, facts from releases where id = ?')
    .get(release?.id)
  if (!release || !base) return void clearLedger(ledger)
  const { number, facts } = base
  if (number < nextNumber(ledger) - 1) takeBack(ledger, { id: release.id, number })
  return JSON.parse(facts)
}

/** Reads the facts of a release without changing anything; undefined unless it is the newest. */
export function readFacts(ledger: Ledger, { id }: { id: string }): ReleaseFacts | undefined {
  const newest = ledger
    .prepare<[], { id: string; facts: string }>('select id, facts from releases order by number desc limit 1')
    .get()
  return newest?.id === id ? JSON.parse(newest.facts) : undefined
}

/** Reads the facts of any kept release without changing anything. */
export function readFactsOf(
  ledger: Ledger,
  { id }: { id: string },
): { number: number; facts: ReleaseFacts } | undefined {
  const known = ledger
    .prepare<[string], { number: number; facts: string }>('select number, facts from releases where id = ?')
    .get(id)
  return known && { number: known.number, facts: JSON.parse(known.facts) }
}

/** Updates the facts of the newest release. */
export function saveFacts(ledger: Ledger, { id }: { id: string }, facts: ReleaseFacts): void {
  ledger.prepare('update releases set facts = ? where id = ?').run(JSON.stringify(facts), id)
}

function nextNumber(ledger: Ledger): number {
  return ledger.prepare('select coalesce(max(number), 0) + 1 from releases').pluck().get() as number
}

// The release gets a new number, to tell it apart from folders with files of later releases.
function takeBack(ledger: Ledger, { id, number }: { id: string; number: number }) {
  const next = nextNumber(ledger)
  ledger.exec('savepoint taking_back')
  ledger.prepare('update writing set number = ?').run(next)
  for (const table of TABLES) takeBackTable(ledger, table, number)
  ledger.prepare('update releases set number = ? where id = ?').run(next, id)
  ledger.exec('update writing set number = 0; release taking_back')
}

function takeBackTable(ledger: Ledger, table: Table, number: number) {
  const columns = COLUMNS[table]
  ledger.exec('drop table if exists temp.earlier')
  ledger
    .prepare(
      `create temp table earlier as select key, row from former one where source = ? and number > ? and number =
         (select min(number) from former where source = one.source and key = one.key and number > ?)`,
    )
    .run(table, number, number)
  ledger.exec(`
    delete from ${table} where ${columns[0]} in (select key from earlier);
    insert into ${table} (${columns.join()})
      select ${columns.map((_, index) => `row ->> ${index}`).join()} from earlier where row is not null;`)
}

/** Records the next release. Nothing takes effect before `commit`, and then everything at once. */
export function beginRelease(ledger: Ledger) {
  ledger.exec('begin immediate')
  const number = nextNumber(ledger)
  // Before the first release, there is nothing to undo.
  ledger.prepare('update writing set number = ?').run(number === 1 ? 0 : number)
  return {
    /** Adds the release, and deletes what only releases outside `kept` needed. */
    commit({ id, facts }: { id: string; facts: ReleaseFacts }, kept: readonly string[]): void {
      ledger
        .prepare('delete from releases where id not in (select value from json_each(?))')
        .run(JSON.stringify(kept))
      ledger.prepare('insert into releases values (?, ?, ?)').run(id, number, JSON.stringify(facts))
      ledger.exec('delete from former where number <= (select min(number) from releases)')
      ledger.exec('update writing set number = 0; commit')
    },
    /** Undoes everything; does nothing after `commit`. */
    undo(): void {
      if (ledger.inTransaction) ledger.exec('rollback')
    },
  }
}

/** Returns true if it is known how the files of this release differ from those of the newest. */
export function knowsRelease(ledger: Ledger, id: string): boolean {
  return ledger.prepare('select 1 from releases where id = ?').get(id) !== undefined
}

/** Returns the pages and other files that changed after this release; all of them, without one. */
export function listChangesSince(
  ledger: Ledger,
  id: string | undefined,
): { pages: string[]; files: string[] } {
  const changed = `select distinct key from former where source = ? and number > (select number from releases where id = ?)`
  const list = (table: Table) =>
    id === undefined
      ? ledger.prepare(`select ${COLUMNS[table][0]} from ${table}`).pluck().all()
      : ledger.prepare(changed).pluck().all(table, id)
  return { pages: list('pages') as string[], files: list('files') as string[] }
}
