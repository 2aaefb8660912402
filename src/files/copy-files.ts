import { buffer } from 'node:stream/consumers'
import type { FileStore } from './file-store.ts'

/** Beginnings of the keys of a file store. */
const KEPT = ['uploads', 'pictures']
/** Files of posts under way. */
const UNFINISHED = 'uploads/tmp/'

export interface CopiedFiles {
  copied: number
  /** Those that were there already, with the same size. */
  known: number
}

/** Copies every file of one store into another; copied again, only what is missing. Nothing is removed. */
export async function copyFiles(from: FileStore, to: FileStore): Promise<CopiedFiles> {
  const counts = { copied: 0, known: 0 }
  for (const kind of KEPT) {
    const sizes = await sizesIn(to, kind)
    for (const [key, size] of await sizesIn(from, kind)) {
      if (sizes.get(key) === size) counts.known += 1
      else if (await copyFile(key, from, to)) counts.copied += 1
    }
  }
  return counts
}

async function sizesIn(files: FileStore, kind: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { key, size } of files.list(kind)) if (!key.startsWith(UNFINISHED)) sizes.set(key, size)
  return sizes
}

// It may have been removed since it was listed.
async function copyFile(key: string, from: FileStore, to: FileStore): Promise<boolean> {
  const file = await from.open(key)
  if (!file) return false
  await to.write(key, new Blob([new Uint8Array(await buffer(file.stream))]))
  return true
}
