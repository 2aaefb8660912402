import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { FileStore } from '../files/file-store.ts'
import { syncPath } from '../lib/sync-path.ts'

const PICTURES = 'pictures'
const HASH = /^[0-9a-f]{64}$/
const UNFINISHED = /^[0-9a-f]{64}\.[0-9a-f-]+\.tmp$/
const OWNER_ONLY = 0o600

/** The picture store: bytes by their SHA-256. What it has acknowledged is on disk. */
export interface PictureFiles {
  has(sha256: string): Promise<boolean>
  /** Returns the path of a file, for reading only. */
  pathOf(sha256: string): string
  /** Returns the bytes; undefined if the store doesn't have them. */
  read(sha256: string): Promise<Buffer | undefined>
  write(sha256: string, bytes: Uint8Array): Promise<void>
  /** Lists every file and when it was written. */
  list(): Promise<{ file: string; writtenAt: Date }[]>
  /** Deletes a listed file. */
  remove(file: string): Promise<void>
}

/**
 * Opens the picture store on this disk, `DATA_DIR/pictures`, which is created with the first file. With a shared
 * store, that one is authoritative and the disk caches copies.
 */
export function openPictureFiles(dataDir: string, store?: FileStore): PictureFiles {
  const disk = openDiskPictures(dataDir)
  return store ? shareFiles(disk, store) : disk
}

function shareFiles(disk: PictureFiles, store: FileStore): PictureFiles {
  const write = async (sha256: string, bytes: Uint8Array) => {
    await disk.write(sha256, bytes)
    await store.write(keyOf(sha256), new Blob([new Uint8Array(bytes)]))
  }
  return {
    pathOf: disk.pathOf,
    write,
    async has(sha256) {
      const file = await store.open(keyOf(sha256))
      file?.stream.destroy()
      return file !== undefined
    },
    async read(sha256) {
      const known = await disk.read(sha256)
      if (known) return known
      const file = await store.open(keyOf(sha256))
      if (!file) return undefined
      const bytes = await buffer(file.stream)
      await disk.write(sha256, bytes)
      return bytes
    },
    async list() {
      const found = new Map((await disk.list()).map((one) => [one.file, one]))
      for await (const { key, writtenAt } of store.list(PICTURES)) {
        const file = basename(key)
        found.set(file, { file, writtenAt })
      }
      return [...found.values()]
    },
    async remove(file) {
      await disk.remove(file)
      await store.remove(keyOf(file))
    },
  }
}

function keyOf(file: string): string {
  return `${PICTURES}/${file.slice(0, 2)}/${file}`
}

function openDiskPictures(dataDir: string): PictureFiles {
  const root = join(dataDir, PICTURES)
  const pathOf = (sha256: string) => {
    if (!HASH.test(sha256)) throw new Error(`${sha256} names no picture`)
    return join(root, sha256.slice(0, 2), sha256)
  }
  const write = async (sha256: string, bytes: Uint8Array) => {
    const path = pathOf(sha256)
    // An orphan that is used again must not be swept at the same time.
    if (existsSync(path)) return utimes(path, new Date(), new Date())
    const folder = dirname(path)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const unfinished = `${path}.${crypto.randomUUID()}.tmp`
    try {
      await writeFile(unfinished, bytes, { mode: OWNER_ONLY })
      await syncPath(unfinished)
      await rename(unfinished, path)
    } finally {
      await rm(unfinished, { force: true })
    }
    // The name of the file, and its path in the folder and the store.
    for (const made of [folder, root, dataDir]) await syncPath(made)
  }
  return {
    has: async (sha256) => existsSync(pathOf(sha256)),
    pathOf,
    read: (sha256) => readFile(pathOf(sha256)).catch(undefinedIfMissing),
    write,
    list: () => listFiles(root),
    async remove(file) {
      if (!HASH.test(file) && !UNFINISHED.test(file)) throw new Error(`${file} is no file of the store`)
      await rm(join(root, file.slice(0, 2), file), { force: true })
    },
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}

async function listFiles(root: string) {
  const found: { file: string; writtenAt: Date }[] = []
  for (const folder of await readdir(root).catch(() => []))
    for (const name of await readdir(join(root, folder)).catch(() => [])) {
      const stats = await stat(join(root, folder, name)).catch(() => undefined)
      if (stats?.isFile()) found.push({ file: name, writtenAt: stats.mtime })
    }
  return found
}
