import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { FileStore } from '../../files/file-store.ts'
import { SiteWriter } from '../release/site-writer.ts'
import { openReleasePart, packFiles } from './release-pack.ts'

/** Stores a folder's files in a few objects. */
export async function storeFolder(files: FileStore, folder: string, place: string): Promise<void> {
  let count = 0
  for (const part of packFiles(filesIn(folder)))
    await files.write(`${place}/${count++}`, new Blob([new Uint8Array(part)]))
}

function* filesIn(folder: string) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) yield { file: path.slice(folder.length + 1), bytes: readFileSync(path) }
  }
}

/** Restores the folder from the store, completely or not at all; returns false if it isn't stored. */
export async function takeFolder(files: FileStore, place: string, folder: string): Promise<boolean> {
  const unfinished = `${folder}.${crypto.randomUUID()}.tmp`
  const writer = new SiteWriter(unfinished)
  await mkdir(unfinished, { recursive: true })
  let isFound = false
  try {
    for await (const { key } of files.list(place)) {
      const stored = await files.open(key)
      if (!stored) return false
      using part = openReleasePart(await buffer(stored.stream), { key })
      for (const { file, bytes } of part.files()) writer.write(file, bytes)
      isFound = true
    }
    if (isFound) await rename(unfinished, folder).catch(unlessThere)
    return isFound
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

function unlessThere(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
}
