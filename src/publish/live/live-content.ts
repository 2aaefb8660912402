import {
  createWriteStream,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makePrivateFile } from '../../db/private-file.ts'
import type { Db } from '../../db/schema.ts'
import { isMissing } from '../../lib/is-missing.ts'
import { syncPathSync } from '../../lib/sync-path.ts'
import type { ContentChange } from '../changes/change-store.ts'
import type { Release } from '../release/release.ts'
import {
  type ContentRow,
  type ContentTable,
  streamContentRows,
  streamTouchedRows,
} from './content-row-store.ts'
import { END, type LiveHeader, liveCopy, liveFile, liveFolder, passCopyOn } from './live-files.ts'

export { FIRST_COPY_ID } from './content-row-store.ts'

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
  const folder = liveFolder(dataDir)
  mkdirSync(folder, { recursive: true })
  const unfinished = `${liveFile(dataDir, release)}.tmp`
  makePrivateFile(unfinished)
  await pipeline(textOf(live, streamContentRows(db, shownAt)), createWriteStream(unfinished))
  syncPathSync(unfinished)
  // It may have rows of the file that is replaced, which ended elsewhere.
  rmSync(await liveCopy(dataDir, release), { force: true })
  renameSync(unfinished, liveFile(dataDir, release))
  syncPathSync(folder)
  return statSync(liveFile(dataDir, release)).size
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
  const [from, file] = [liveFile(dataDir, before), liveFile(dataDir, release)]
  const size = statSync(from, { throwIfNoEntry: false })?.size
  if (size === undefined || size < bytes || isMissing(liveFolder(dataDir))) return undefined
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
  await passCopyOn(dataDir, { from: before, to: release })
  syncPathSync(liveFolder(dataDir))
  return statSync(file).size
}

/** Returns the path of the file with a release's rows. */
export function liveContentFile(dataDir: string, release: Pick<Release, 'id'>): string {
  return liveFile(dataDir, release)
}

/**
 * Returns how many bytes of the previous release's file are the start of this release's; 0 if it has its own file.
 */
export function sharedBytes(
  dataDir: string,
  { release, before, bytes }: { release: Pick<Release, 'id'>; before: Pick<Release, 'id'>; bytes: number },
): number {
  const [own, former] = [release, before].map((one) =>
    statSync(liveFile(dataDir, one), { throwIfNoEntry: false }),
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
  const file = liveFile(dataDir, { id })
  mkdirSync(liveFolder(dataDir), { recursive: true })
  rmSync(file, { force: true })
  makePrivateFile(file)
  if (bytes === 0 || before === undefined) return file
  const from = liveFile(dataDir, { id: before })
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
  if (isMissing(liveFolder(dataDir))) return
  for (const name of readdirSync(liveFolder(dataDir)))
    if (!name.startsWith(`${current.id}.`))
      rmSync(join(liveFolder(dataDir), name), { recursive: true, force: true })
}
