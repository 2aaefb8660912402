import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { openSqliteBytes, openSqliteFile } from '../../db/sqlite/open-sqlite-file.ts'
import { Failure } from '../../lib/messages.ts'
import { sharedSiteFailures } from '../../messages/server/shared-site.ts'
import { type LedgerRow, listRowsSince } from '../ledger/ledger-rows.ts'
import { type Ledger, listChangesSince, type ReleaseFacts } from '../ledger/ledger-store.ts'
import type { Table } from '../ledger/ledger-tables.ts'
import { pageFile } from '../release/page-file.ts'

/** Uncompressed bytes of files per part: what a server holds in memory at once. */
const PART_BYTES = 32 * 1024 * 1024
const SCHEMA = `
  create table about (id text not null, facts text not null, live_from integer not null) strict;
  create table rows (source text not null, key text not null, row text) strict;
  create table files (file text primary key, bytes blob not null) strict, without rowid;
  create table live (number integer primary key, bytes blob not null) strict;
  begin;`

/** Metadata of a release, in its first part. */
export interface PackedFacts {
  id: string
  facts: ReleaseFacts
  /** Number of bytes of the parent's live content that precede the pack's. */
  liveFrom: number
}

interface Packing extends PackedFacts {
  siteDir: string
  /** The file with the rows that the release shows. */
  liveFile: string
  /** The parent release; undefined if the pack contains all files. */
  since: string | undefined
}

/**
 * Packs what differs from an earlier release, or everything, into compressed SQLite files. Each can be read without
 * the others and fits into memory.
 */
export function* packRelease(ledger: Ledger, packing: Packing): Generator<Buffer> {
  const { siteDir, liveFile, liveFrom, since, id, facts } = packing
  let part = openPart()
  part.db.prepare('insert into about values (?, ?, ?)').run(id, JSON.stringify(facts), liveFrom)
  for (const { source, key, row } of listRowsSince(ledger, since)) {
    part.addRow(source, key, row)
    if (part.isFull()) yield* turn()
  }
  const changes = listChangesSince(ledger, since)
  for (const file of [...changes.pages.map(pageFile), ...changes.files, '../changes.tsv']) {
    const path = join(siteDir, file)
    // The rows record what was removed.
    if (!existsSync(path)) continue
    part.addFile(file, readFileSync(path))
    if (part.isFull()) yield* turn()
  }
  for (const bytes of readRange(liveFile, { from: liveFrom, to: facts.liveBytes })) {
    part.addLive(bytes)
    if (part.isFull()) yield* turn()
  }
  yield part.close()

  function* turn() {
    yield part.close()
    part = openPart()
  }
}

/** Packs files in the same way. */
export function* packFiles(files: Iterable<{ file: string; bytes: Buffer }>): Generator<Buffer> {
  let part = openPart()
  for (const { file, bytes } of files) {
    part.addFile(file, bytes)
    if (!part.isFull()) continue
    yield part.close()
    part = openPart()
  }
  yield part.close()
}

function openPart() {
  const db = openSqliteFile(':memory:')
  db.exec(SCHEMA)
  const insertRow = db.prepare('insert into rows values (?, ?, ?)')
  const insertFile = db.prepare('insert into files values (?, ?)')
  const insertLive = db.prepare('insert into live (bytes) values (?)')
  let size = 0
  return {
    db,
    addRow(source: Table, key: string, row: unknown[] | null) {
      const text = row && JSON.stringify(row)
      insertRow.run(source, key, text)
      size += key.length + (text?.length ?? 0)
    },
    addFile(file: string, bytes: Buffer) {
      insertFile.run(file, bytes)
      size += bytes.length
    },
    addLive(bytes: Buffer) {
      insertLive.run(bytes)
      size += bytes.length
    },
    isFull: () => size >= PART_BYTES,
    close() {
      db.exec('commit')
      const bytes = zstdCompressSync(db.serialize())
      db.close()
      return bytes
    },
  }
}

const CHUNK_BYTES = 4 * 1024 * 1024

function* readRange(file: string, { from, to }: { from: number; to: number }): Generator<Buffer> {
  if (!existsSync(file)) return
  const descriptor = openSync(file, 'r')
  try {
    for (let at = from; at < to; at += CHUNK_BYTES) {
      const bytes = Buffer.alloc(Math.min(CHUNK_BYTES, to - at))
      readSync(descriptor, bytes, 0, bytes.length, at)
      yield bytes
    }
  } finally {
    closeSync(descriptor)
  }
}

/** An open part of a pack. */
export interface OpenPart extends Disposable {
  /** Undefined in all parts but the first. */
  about: PackedFacts | undefined
  rows(): Iterable<LedgerRow>
  files(): Iterable<{ file: string; bytes: Buffer }>
  live(): Iterable<Buffer>
}

/** Opens a part. Throws if its bytes don't match this hash. */
export function openReleasePart(bytes: Buffer, { key, sha256 }: { key: string; sha256?: string }): OpenPart {
  if (sha256 !== undefined && hashOf(bytes) !== sha256)
    throw new Failure(sharedSiteFailures, 'partDamaged', key)
  const db = openSqliteBytes(zstdDecompressSync(bytes))
  const about = db.prepare<[], { id: string; facts: string; live_from: number }>('select * from about').get()
  return {
    about: about && { id: about.id, facts: JSON.parse(about.facts), liveFrom: about.live_from },
    *rows() {
      const rows = db.prepare<[], { source: Table; key: string; row: string | null }>('select * from rows')
      for (const { source, key, row } of rows.iterate())
        yield { source, key, row: row === null ? null : JSON.parse(row) }
    },
    files: () => db.prepare<[], { file: string; bytes: Buffer }>('select * from files').iterate(),
    live: () =>
      db.prepare<[], Buffer>('select bytes from live order by number').pluck().iterate() as Iterable<Buffer>,
    [Symbol.dispose]: db[Symbol.dispose],
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
