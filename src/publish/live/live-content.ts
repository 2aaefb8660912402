import {
  createReadStream,
  createWriteStream,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import type { Kysely } from 'kysely'
import { connectDatabase } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { makePrivateFile } from '../../db/private-file.ts'
import type { Db, Schema } from '../../db/schema.ts'
import { isMissing } from '../../lib/is-missing.ts'
import { syncPathSync } from '../../lib/sync-path.ts'
import type { ContentChange } from '../changes/change-store.ts'
import type { Release } from '../release/release.ts'
import {
  type ContentRow,
  type ContentTable,
  clearCopy,
  deleteRows,
  insertRows,
  streamContentRows,
  streamTouchedRows,
} from './content-row-store.ts'

const ROWS_AT_ONCE = 1_000
const END = 'end'

/** Sources of a release besides the rows. */
interface LiveHeader {
  /** The id of the release. */
  release: string
  /** The name of its bundle's folder in `dist`. */
  bundle: string
  /** The time whose content it shows; UTC text. */
  shownAt: string
}

/** The live site's content in its own database, as of the last publish. */
export interface LiveContent extends LiveHeader {
  db: Kysely<Schema>
  databaseUrl: string
  close(): Promise<void>
}

interface Live {
  dataDir: string
  release: Pick<Release, 'id'>
  /** The name of its bundle's folder in `dist`. */
  bundle: string
  shownAt: Date
}

/**
 * Writes the rows that a release shows to a file, so that a schedule can change just its own entries. One file for
 * the current release, `DATA_DIR/live-content/<release>.jsonl`, written completely or not at all. Returns its size
 * in bytes.
 */
export async function writeLiveContent(db: Db, live: Live): Promise<number> {
  const { dataDir, release, shownAt } = live
  const folder = folderOf(dataDir)
  mkdirSync(folder, { recursive: true })
  const unfinished = `${fileOf(dataDir, release)}.tmp`
  makePrivateFile(unfinished)
  await pipeline(textOf(live, streamContentRows(db, shownAt)), createWriteStream(unfinished))
  syncPathSync(unfinished)
  renameSync(unfinished, fileOf(dataDir, release))
  syncPathSync(folder)
  return statSync(fileOf(dataDir, release)).size
}

/**
 * Does the same by appending what was saved since to the previous release's file, which had that size. The file then
 * has two names, and each release uses it up to the end of its own rows. Undefined if that file isn't complete.
 */
export async function continueLiveContent(
  db: Db,
  live: Live & { before: Pick<Release, 'id'>; bytes: number; touched: readonly ContentChange[] },
): Promise<number | undefined> {
  const { dataDir, release, before, bytes, touched, shownAt } = live
  const [from, file] = [fileOf(dataDir, before), fileOf(dataDir, release)]
  const size = statSync(from, { throwIfNoEntry: false })?.size
  if (size === undefined || size < bytes || isMissing(folderOf(dataDir))) return undefined
  try {
    rmSync(file, { force: true })
    linkSync(from, file)
  } catch {
    return undefined
  }
  // Truncates the bytes added by a publish that didn't go live.
  truncateSync(file, bytes)
  await pipeline(
    textOf(live, streamTouchedRows(db, touched, shownAt)),
    createWriteStream(file, { flags: 'a' }),
  )
  syncPathSync(file)
  syncPathSync(folderOf(dataDir))
  return statSync(file).size
}

/** Returns the path of the file with a release's rows. */
export function liveContentFile(dataDir: string, release: Pick<Release, 'id'>): string {
  return fileOf(dataDir, release)
}

/**
 * Returns how many bytes of the previous release's file are the start of this release's; 0 if it has its own file.
 */
export function sharedBytes(
  dataDir: string,
  { release, before, bytes }: { release: Pick<Release, 'id'>; before: Pick<Release, 'id'>; bytes: number },
): number {
  const [own, former] = [release, before].map((one) =>
    statSync(fileOf(dataDir, one), { throwIfNoEntry: false }),
  )
  return own && former && own.ino === former.ino ? bytes : 0
}

/**
 * Starts the file for a release made by another server, and returns where to append the rest: an empty file, or the
 * first bytes of the previous release's. Undefined if this server doesn't have those.
 */
export function startLiveCopy(
  dataDir: string,
  { id, before, bytes }: { id: string; before: string | undefined; bytes: number },
): string | undefined {
  const file = fileOf(dataDir, { id })
  mkdirSync(folderOf(dataDir), { recursive: true })
  rmSync(file, { force: true })
  makePrivateFile(file)
  if (bytes === 0 || before === undefined) return file
  const from = fileOf(dataDir, { id: before })
  const size = statSync(from, { throwIfNoEntry: false })?.size ?? 0
  rmSync(file)
  if (size < bytes) return undefined
  linkSync(from, file)
  truncateSync(file, bytes)
  return file
}

async function* textOf(
  { bundle, shownAt, release }: Live,
  parts: AsyncIterable<{ table: ContentTable; rows: ContentRow[]; gone?: number[] }>,
) {
  const header: LiveHeader = { bundle, shownAt: shownAt.toISOString(), release: release.id }
  yield `${JSON.stringify(header)}\n`
  for await (const { table, rows, gone = [] } of parts) {
    if (gone.length > 0) yield `${table}\t${JSON.stringify(gone)}\n`
    yield rows.map((row) => `${table}\t${JSON.stringify(row)}\n`).join('')
  }
  yield `${END}\n`
}

/** Deletes the content of releases that are no longer current. */
export function removeFormerLiveContent(dataDir: string, current: Pick<Release, 'id'>): void {
  if (isMissing(folderOf(dataDir))) return
  for (const name of readdirSync(folderOf(dataDir)))
    if (name !== `${current.id}.jsonl`) rmSync(join(folderOf(dataDir), name), { force: true })
}

/** Opens a release's content in a temporary database. Undefined if it wasn't kept completely. */
export async function openLiveContent(
  dataDir: string,
  release: Pick<Release, 'id'>,
): Promise<LiveContent | undefined> {
  const file = fileOf(dataDir, release)
  if (isMissing(file)) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'signpost-live-'))
  const databaseUrl = `file:${join(folder, 'live.db')}`
  const db = connectDatabase(databaseUrl)
  const close = async () => {
    await db.destroy()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await migrate(db)
    const lines = createInterface({ input: createReadStream(file) })
    const header = await db.transaction().execute((trx) => fillCopy(trx, lines, release))
    if (header) return { ...header, db, databaseUrl, close }
  } catch (error) {
    await close()
    throw error
  }
  await close()
  return undefined
}

// End of the release's rows; later rows belong to other releases.
async function fillCopy(
  copy: Db,
  lines: AsyncIterable<string>,
  { id }: Pick<Release, 'id'>,
): Promise<LiveHeader | undefined> {
  await clearCopy(copy)
  const filling = fillTables(copy)
  let header: LiveHeader | undefined
  for await (const line of lines) {
    const tab = line.indexOf('\t')
    if (tab > 0) await filling.take(line.slice(0, tab) as ContentTable, JSON.parse(line.slice(tab + 1)))
    else if (line !== END) header = JSON.parse(line)
    else if (header?.release === id) return filling.finish().then(() => header)
  }
  return undefined
}

// Rows are inserted in batches. A list holds the IDs of rows that must make room for later ones.
function fillTables(copy: Db) {
  const rows: ContentRow[] = []
  let last: ContentTable = 'settings'
  const insertWaiting = () => insertRows(copy, last, rows.splice(0))
  return {
    async take(table: ContentTable, value: ContentRow | number[]) {
      if (table !== last || Array.isArray(value) || rows.length === ROWS_AT_ONCE) await insertWaiting()
      last = table
      if (Array.isArray(value)) await deleteRows(copy, table, 'id', value)
      else rows.push(value)
    },
    finish: insertWaiting,
  }
}

function folderOf(dataDir: string): string {
  return join(dataDir, 'live-content')
}

function fileOf(dataDir: string, { id }: Pick<Release, 'id'>): string {
  return join(folderOf(dataDir), `${id}.jsonl`)
}
