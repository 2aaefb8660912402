import { join } from 'node:path'
import { readStaticFile, type StaticFile } from './static-file.ts'

const CACHE_BYTES = 64 * 1024 * 1024

type Read = (path: string) => Promise<StaticFile | undefined>

/** Reads files of releases, which never change: the path is key enough. A full cache drops its oldest files. */
export function createFileCache(): Read {
  const files = new Map<string, StaticFile>()
  let size = 0
  return async (path: string): Promise<StaticFile | undefined> => {
    const cached = files.get(path)
    if (cached) return cached
    const file = await readStaticFile(path)
    if (!file) return undefined
    // Several requests may have read the file at the same moment; it counts once.
    if (files.has(path)) return file
    files.set(path, file)
    size += file.bytes.length
    for (const [oldest, { bytes }] of files) {
      if (size <= CACHE_BYTES) break
      files.delete(oldest)
      size -= bytes.length
    }
    return file
  }
}

/** Reads the first of these files that exists in a folder. */
export async function readFirst(
  read: Read,
  { folder, files }: { folder: string; files: readonly string[] },
): Promise<StaticFile | undefined> {
  for (const name of files) {
    const file = await read(join(folder, name))
    if (file) return file
  }
  return undefined
}
