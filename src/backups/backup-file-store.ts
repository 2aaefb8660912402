import { rm } from 'node:fs/promises'
import SqliteDatabase from 'better-sqlite3'
import { fileProblem } from '../db/connection-problem.ts'
import { makePrivateFile } from '../db/private-file.ts'
import { closedAfterUse, type SqliteFile } from '../db/sqlite/open-sqlite-file.ts'
import { backupTexts } from '../messages/command-line/data.ts'

export type BackupFile = SqliteDatabase.Database

/** Describes a backup. */
export interface BackupLabel {
  /** When the copy was taken; UTC. */
  madeAt: string
  /** SHA-256 of the schema and of every row, including visitors' files; without the schema if there is no seal. Hex. */
  digest: string
  /** Undefined in a backup from before revision 0051. */
  seal: BackupSeal | undefined
}

/** Shows whether a label was written by someone who has the secret key. */
export interface BackupSeal {
  /** Identifies the key without revealing it. */
  keyId: string
  /** HMAC-SHA256 over `madeAt` and `digest`; hex. */
  mac: string
}

/** A visitor's file below `DATA_DIR/uploads`, or one of the picture store, in the folder `pictures`. */
export interface StoredUpload {
  folder: string
  file: string
  bytes: Buffer
}

/** The label's table, which its digest does not cover. */
export const LABEL = 'backup_label'
const UPLOADS = 'backup_uploads'
const DUMP = 'backup_dump'
const REVISIONS = 'kysely_migration'

/** Writes a consistent copy while other processes write to the source. One long read, which blocks no one. */
export function copyDatabase(source: string, target: string): void {
  using database = closedAfterUse(new SqliteDatabase(source, { readonly: true, fileMustExist: true }))
  try {
    makePrivateFile(target)
    database.prepare('vacuum into ?').run(target)
  } catch (error) {
    // Any other error may concern the target.
    const isDamaged = /^SQLITE_(NOTADB|CORRUPT)/.test(String((error as { code?: string }).code))
    throw isDamaged ? fileProblem(error, source) : error
  }
}

/** Opens a copy for reading and writing; it has no write-ahead log, so that it stays one file. */
export function openBackup(path: string): SqliteFile {
  const file = closedAfterUse(new SqliteDatabase(path, { fileMustExist: true }))
  file.pragma('trusted_schema = 0')
  return file
}

/** Opens a backup without changing it. */
export function openToRead(path: string): SqliteFile {
  const file = closedAfterUse(new SqliteDatabase(path, { fileMustExist: true, readonly: true }))
  file.pragma('trusted_schema = 0')
  return file
}

/** Prepares an empty backup for a PostgreSQL dump; the returned function adds its parts in order. */
export function createDumpTable(file: BackupFile): { add(part: Buffer): void; close(): void } {
  file.exec(`create table ${DUMP} (part integer primary key, bytes blob not null) strict; begin`)
  const insert = file.prepare(`insert into ${DUMP} (bytes) values (?)`)
  return { add: (part) => insert.run(part), close: () => file.exec('commit') }
}

/** Records the revisions of the dumped database, as an SQLite copy has them. */
export function writeRevisions(file: BackupFile, revisions: readonly { name: string; timestamp: string }[]) {
  file.exec(`create table ${REVISIONS} (name text primary key, timestamp text not null) strict`)
  const insert = file.prepare(`insert into ${REVISIONS} (name, timestamp) values (?, ?)`)
  for (const { name, timestamp } of revisions) insert.run(name, timestamp)
}

/** True when the backup is one of PostgreSQL. */
export function holdsDump(file: BackupFile): boolean {
  return hasTable(file, DUMP)
}

/** The dump of PostgreSQL in a backup, one part in memory at a time. */
export function streamDump(file: BackupFile): IterableIterator<Buffer> {
  return file.prepare(`select bytes from ${DUMP} order by part`).pluck().iterate() as IterableIterator<Buffer>
}

/** Returns the damage that SQLite finds in the file; undefined when it is sound. */
export function findDamage(file: BackupFile): string | undefined {
  const [first] = file.pragma('integrity_check(1)') as { integrity_check: string }[]
  if (first?.integrity_check !== 'ok') return first?.integrity_check ?? backupTexts.unreadable
  const [orphan] = file.pragma('foreign_key_check') as { table: string; parent: string }[]
  return orphan && backupTexts.orphan(orphan.table, orphan.parent)
}

/** The revisions applied to the copied database; undefined if the file is not a Signpost database. */
export function listRevisions(file: BackupFile): string[] | undefined {
  if (!hasTable(file, REVISIONS)) return undefined
  const rows = file.prepare(`select name from ${REVISIONS} order by name`).all()
  return (rows as { name: string }[]).map(({ name }) => name)
}

/** The triggers and views of the file. */
export function listPrograms(file: BackupFile): { type: string; name: string; sql: string }[] {
  return file
    .prepare("select type, name, sql from sqlite_master where type in ('trigger', 'view') order by name")
    .all() as { type: string; name: string; sql: string }[]
}

export function writeLabel(
  file: BackupFile,
  { madeAt, digest, seal }: BackupLabel & { seal: BackupSeal },
): void {
  file.exec(
    `create table ${LABEL} (made_at text not null, digest text not null, key_id text not null, mac text not null) strict`,
  )
  file.prepare(`insert into ${LABEL} values (?, ?, ?, ?)`).run(madeAt, digest, seal.keyId, seal.mac)
}

/** Finds the label of a backup; undefined when the file is not a finished backup. */
export function findLabel(file: BackupFile): BackupLabel | undefined {
  if (!hasTable(file, LABEL)) return undefined
  const row = file.prepare(`select * from ${LABEL}`).get() as Record<string, unknown> | undefined
  if (!row) return undefined
  const { made_at: madeAt, digest, key_id: keyId, mac } = row
  const seal = keyId === undefined ? undefined : { keyId: String(keyId), mac: String(mac) }
  return { madeAt: String(madeAt), digest: String(digest), seal }
}

/** Prepares a copy for visitors' files; the returned function adds one. */
export function createUploadsTable(file: BackupFile): (upload: StoredUpload) => void {
  file.exec(`create table ${UPLOADS}
    (folder text not null, file text not null, bytes blob not null, primary key (folder, file)) strict`)
  const insert = file.prepare(`insert into ${UPLOADS} (folder, file, bytes) values (?, ?, ?)`)
  return ({ folder, file: name, bytes }) => insert.run(folder, name, bytes)
}

/** The upload folders of the copied submissions: none in a database from before uploads. */
export function listUploadFolders(file: BackupFile): string[] {
  if (!hasTable(file, 'uploads')) return []
  const rows = file.prepare('select distinct folder from uploads order by folder').all()
  return (rows as { folder: string }[]).map(({ folder }) => folder)
}

/** The hashes of the copied library's pictures: none in a database from before the library. */
export function listPictureHashes(file: BackupFile): string[] {
  if (!hasTable(file, 'library_pictures')) return []
  const tables = ['library_pictures', 'picture_versions', 'trashed_picture_files']
  const selects = tables
    .filter((table) => hasTable(file, table))
    .map((table) => `select sha256 from ${table}`)
  const rows = file.prepare(`${selects.join(' union ')} order by 1`).all()
  return (rows as { sha256: string }[]).map(({ sha256 }) => sha256)
}

/** The files of visitors and of pictures in a backup, one in memory at a time. */
export function streamUploads(file: BackupFile): IterableIterator<StoredUpload> {
  return file
    .prepare(`select folder, file, bytes from ${UPLOADS}`)
    .iterate() as IterableIterator<StoredUpload>
}

/** Removes an incomplete copy. SQLite would apply a killed copy's journal to the next one. */
export async function removeUnfinished(path: string): Promise<void> {
  for (const suffix of ['', '-journal', '-wal', '-shm']) await rm(path + suffix, { force: true })
}

/** Turns the copy back into a plain database. */
export function removeBackupTables(file: BackupFile): void {
  file.exec(`drop table if exists ${UPLOADS}; drop table if exists ${LABEL}; vacuum`)
}

/**
 * Merges the write-ahead log into the file. Throws `SQLITE_BUSY` while any other process has the database open: the
 * only way to know before the file is replaced.
 */
export function closeForReplacement(path: string): void {
  using file = openBackup(path)
  file.pragma('journal_mode = delete')
}

function hasTable(file: BackupFile, name: string): boolean {
  return listTables(file).includes(name)
}

/** Lists the tables of a backup by name, without SQLite's own. */
export function listTables(file: BackupFile): string[] {
  const rows = file.prepare("select name from sqlite_master where type = 'table' order by name").all()
  return (rows as { name: string }[]).map(({ name }) => name).filter((name) => !name.startsWith('sqlite_'))
}
