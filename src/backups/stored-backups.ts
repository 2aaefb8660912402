import { createWriteStream, openAsBlob } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FilePlace, FileStore } from '../files/file-store.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { makeFolder } from '../lib/make-folder.ts'

const BACKUPS = 'backups'
// With the time of its start.
const DAILY = /^daily-\d{8}T\d{9}Z\.db$/

/** Returns where `FILE_STORE` keeps daily backups; undefined if they stay in `DATA_DIR/backups`. */
export function backupStoreOf({
  filePlace,
  dataDir,
}: {
  filePlace: FilePlace
  dataDir: string
}): FileStore | undefined {
  const isHere = filePlace.kind === 'disk' && filePlace.folder === dataDir
  return isHere ? undefined : openFileStore(filePlace, { dataDir })
}

/** Lists the names of daily backups in the store, newest first. */
export async function listStoredBackups(store: FileStore): Promise<string[]> {
  const names: string[] = []
  for await (const { key } of store.list(BACKUPS)) names.push(basename(key))
  return newestFirst(names)
}

/** Lists the names of daily backups in a folder, newest first. */
export async function listBackupsIn(folder: string): Promise<string[]> {
  return newestFirst(await readdir(folder))
}

/**
 * Moves the daily backups of a folder to the store, also those that a failure left there earlier. Returns their number.
 */
export async function storeBackups(store: FileStore, folder: string): Promise<number> {
  const names = await listBackupsIn(folder)
  for (const name of names) {
    const path = join(folder, name)
    await store.write(`${BACKUPS}/${name}`, await openAsBlob(path))
    await rm(path)
  }
  return names.length
}

/** Copies a backup of the store to `path`; false if the store has none of this name. */
export async function copyStoredBackup(store: FileStore, name: string, path: string): Promise<boolean> {
  const file = await store.open(`${BACKUPS}/${name}`)
  if (!file) return false
  makeFolder(dirname(path))
  await pipeline(file.stream, createWriteStream(path, { mode: 0o600 }))
  return true
}

/** Removes a backup from the store. */
export function removeStoredBackup(store: FileStore, name: string): Promise<void> {
  return store.remove(`${BACKUPS}/${name}`)
}

/** Returns when a daily backup was made, from its name; milliseconds since 1970. */
export function timeOf(name: string): number {
  const [, year, month, day, hour, minute, second] = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/.exec(
    name,
  ) as RegExpExecArray
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
}

function newestFirst(names: readonly string[]): string[] {
  return names
    .filter((name) => DAILY.test(name))
    .toSorted()
    .reverse()
}
