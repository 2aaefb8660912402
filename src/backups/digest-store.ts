import { createHash, type Hash } from 'node:crypto'
import { type BackupFile, holdsDump, LABEL, listTables } from './backup-file-store.ts'

/** SHA-256 of the schema, the ID counters, and every row of every table except the label, in file order; hex. */
export function digestContents(file: BackupFile): string {
  const hash = createHash('sha256').update(JSON.stringify(listCounters(file)))
  return digestInto(hashSchema(hash, file), file)
}

/** As `digestContents`, without the counters: the digest of earlier backups. */
export function digestWithoutCounters(file: BackupFile): string {
  return digestInto(hashSchema(createHash('sha256'), file), file)
}

// A counter at its maximum refuses inserts, and one that was set back reuses IDs of removed rows.
function listCounters(file: BackupFile): unknown[] {
  // A backup of PostgreSQL has its counters in the dump.
  if (holdsDump(file)) return []
  return file.prepare('select name, cast(seq as text) from sqlite_sequence order by name').raw().all()
}

function hashSchema(hash: Hash, file: BackupFile): Hash {
  const schema = file.prepare(
    `select type, name, tbl_name, sql from sqlite_master where tbl_name <> '${LABEL}' order by type, name`,
  )
  for (const row of schema.raw().iterate()) {
    for (const value of row as unknown[]) updateHash(hash, value)
  }
  return hash
}

/** As `digestContents`, without the schema: the digest of a backup without a seal. */
export function digestRows(file: BackupFile): string {
  return digestInto(createHash('sha256'), file)
}

function digestInto(hash: Hash, file: BackupFile): string {
  for (const table of listTables(file)) {
    if (table === LABEL) continue
    hash.update(`\0${table}\0`)
    for (const row of file.prepare(`select * from "${table}"`).raw().iterate()) {
      for (const value of row as unknown[]) updateHash(hash, value)
    }
  }
  return hash.digest('hex')
}

// Type and length precede each value, so that different rows never give the same text.
function updateHash(hash: Hash, value: unknown) {
  if (value === null) hash.update('\0n')
  else if (Buffer.isBuffer(value)) hash.update(`\0b${value.length}\0`).update(value)
  else {
    const text = String(value)
    hash.update(`\0${typeof value}${text.length}\0${text}`)
  }
}
