import { constants, createReadStream } from 'node:fs'
import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Kysely } from 'kysely'
import { connectDatabase } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'
import type { Db, Schema } from '../../db/schema.ts'
import { isMissing } from '../../lib/is-missing.ts'
import { syncPath } from '../../lib/sync-path.ts'
import { findLogEnd } from '../changes/change-store.ts'
import type { Release } from '../release/release.ts'
import {
  type ContentRow,
  type ContentTable,
  clearCopy,
  deferForeignKeys,
  deleteRows,
  insertRows,
} from './content-row-store.ts'
import { addFilled, emptyLog, type Filled, readFilled, saveFilled } from './filled-store.ts'
import { END, type LiveHeader, liveCopy, liveFile, liveFolder } from './live-files.ts'
import { noteUsesSince } from './note-picture-uses.ts'

const ROWS_AT_ONCE = 1_000

/** The live site's content in its own database, as of the last publish. */
export interface LiveContent extends LiveHeader {
  db: Kysely<Schema>
  databaseUrl: string
  close(): Promise<void>
}

/**
 * Opens a release's content in a database of its own, to be changed and discarded. Undefined if it wasn't kept
 * completely. Reading 100,000 rows takes 2 s of processor time, so an unchanged copy stays for the next time. The
 * caller must hold the lock on the releases.
 */
export async function openLiveContent(
  dataDir: string,
  release: Pick<Release, 'id'>,
): Promise<LiveContent | undefined> {
  if (isMissing(liveFile(dataDir, release))) return undefined
  const folder = join(liveFolder(dataDir), 'open')
  // A killed process left it.
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  const [file, copy] = [join(folder, 'live.db'), await liveCopy(dataDir, release)]
  const isNew = isMissing(copy)
  if (!isNew) await copyFile(copy, file, constants.COPYFILE_FICLONE)
  const databaseUrl = `file:${file}`
  const db = connectDatabase(databaseUrl)
  const close = async () => {
    await db.destroy()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    if (isNew) await prepare(db)
    const known = await readFilled(db)
    const filled = known?.release === release.id ? known : await fill(db, dataDir, { release, known })
    if (filled && filled !== known) await keepCopy(db, file, copy)
    if (filled) return { ...filled, db, databaseUrl, close }
  } catch (error) {
    await close()
    throw error
  }
  await close()
  return undefined
}

async function prepare(db: Kysely<Schema>) {
  await migrate(db)
  await db.transaction().execute(clearCopy)
  await addFilled(db)
}

// Adds the rows of the release that the copy doesn't have.
function fill(
  copy: Kysely<Schema>,
  dataDir: string,
  { release, known }: { release: Pick<Release, 'id'>; known: Filled | undefined },
): Promise<Filled | undefined> {
  return copy.transaction().execute(async (trx) => {
    await deferForeignKeys(trx)
    const since = await findLogEnd(trx)
    const filled = await addRows(trx, liveFile(dataDir, release), { release, start: known?.bytes ?? 0 })
    if (!filled) return undefined
    await noteUsesSince(trx, since)
    await saveFilled(trx, filled)
    return filled
  })
}

// End of the release's rows; later rows belong to other releases.
async function addRows(
  copy: Db,
  file: string,
  { release: { id }, start }: { release: Pick<Release, 'id'>; start: number },
): Promise<Filled | undefined> {
  const filling = fillTables(copy)
  let header: LiveHeader | undefined
  let bytes = start
  for await (const line of createInterface({ input: createReadStream(file, { start }) })) {
    bytes += Buffer.byteLength(line) + 1
    const tab = line.indexOf('\t')
    if (tab > 0) await filling.take(line.slice(0, tab) as ContentTable, JSON.parse(line.slice(tab + 1)))
    else if (line !== END) header = JSON.parse(line)
    else if (header?.release === id) {
      await filling.finish()
      return { ...header, bytes }
    }
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

async function keepCopy(db: Db, file: string, copy: string): Promise<void> {
  await emptyLog(db)
  const unfinished = `${file}.tmp`
  await copyFile(file, unfinished, constants.COPYFILE_FICLONE)
  await syncPath(unfinished)
  await rename(unfinished, copy)
}
