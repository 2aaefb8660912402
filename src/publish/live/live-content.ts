import { createReadStream, createWriteStream, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
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
import type { Release } from '../release/release.ts'
import { type ContentTable, clearCopy, insertRows, streamContentRows } from './content-row-store.ts'

const ROWS_AT_ONCE = 1_000
const END = 'end'

/** What a release was rendered from, besides the rows. */
interface LiveHeader {
  /** The folder of its bundle in `dist`. */
  bundle: string
  /** The moment whose content it shows; UTC text. */
  shownAt: string
}

/** The content of the live site in a database of its own, as the last publish left it. */
export interface LiveContent extends LiveHeader {
  db: Kysely<Schema>
  databaseUrl: string
  close(): Promise<void>
}

/**
 * Writes down the rows that a release shows, for a schedule to change nothing but its own entry. One file for the current
 * release, `DATA_DIR/live-content/<release>.jsonl`; it is there whole or not at all.
 */
export async function writeLiveContent(
  db: Db,
  {
    dataDir,
    release,
    bundle,
    shownAt,
  }: Pick<LiveHeader, 'bundle'> & { dataDir: string; release: Pick<Release, 'id'>; shownAt: Date },
): Promise<void> {
  const folder = folderOf(dataDir)
  mkdirSync(folder, { recursive: true })
  const unfinished = `${fileOf(dataDir, release)}.tmp`
  makePrivateFile(unfinished)
  await pipeline(textOf(db, { bundle, shownAt }), createWriteStream(unfinished))
  syncPathSync(unfinished)
  renameSync(unfinished, fileOf(dataDir, release))
  syncPathSync(folder)
}

async function* textOf(db: Db, { bundle, shownAt }: Pick<LiveHeader, 'bundle'> & { shownAt: Date }) {
  const header: LiveHeader = { bundle, shownAt: shownAt.toISOString() }
  yield `${JSON.stringify(header)}\n`
  for await (const { table, rows } of streamContentRows(db, shownAt))
    yield rows.map((row) => `${table}\t${JSON.stringify(row)}\n`).join('')
  yield `${END}\n`
}

/** Removes the content of releases that are no longer current. */
export function removeFormerLiveContent(dataDir: string, current: Pick<Release, 'id'>): void {
  for (const name of readdirSync(folderOf(dataDir)))
    if (name !== `${current.id}.jsonl`) rmSync(join(folderOf(dataDir), name), { force: true })
}

/** Opens the content of a release in a temporary database. Undefined when it was not kept whole. */
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
    const header = await db.transaction().execute((trx) => fillCopy(trx, lines))
    if (header) return { ...header, db, databaseUrl, close }
  } catch (error) {
    await close()
    throw error
  }
  await close()
  return undefined
}

async function fillCopy(copy: Db, lines: AsyncIterable<string>): Promise<LiveHeader | undefined> {
  await clearCopy(copy)
  const waiting = { table: 'settings' as ContentTable, rows: [] as object[] }
  const insertWaiting = () => insertRows(copy, waiting.table, waiting.rows.splice(0) as never)
  let header: LiveHeader | undefined
  let isWhole = false
  for await (const line of lines) {
    const tab = line.indexOf('\t')
    if (line === END) isWhole = true
    else if (tab < 0) header = JSON.parse(line)
    else {
      const table = line.slice(0, tab) as ContentTable
      if (table !== waiting.table || waiting.rows.length === ROWS_AT_ONCE) await insertWaiting()
      waiting.table = table
      waiting.rows.push(JSON.parse(line.slice(tab + 1)))
    }
  }
  await insertWaiting()
  return isWhole ? header : undefined
}

function folderOf(dataDir: string): string {
  return join(dataDir, 'live-content')
}

function fileOf(dataDir: string, { id }: Pick<Release, 'id'>): string {
  return join(folderOf(dataDir), `${id}.jsonl`)
}
