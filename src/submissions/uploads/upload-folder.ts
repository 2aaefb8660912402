import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../lib/messages.ts'
import { syncPath } from '../../lib/sync-path.ts'
import { startupTexts } from '../../messages/server/startup.ts'

/** Where the files of posts under way are, below the folder of uploads. */
export const TEMPORARY_FOLDER = 'tmp'

/** Free space that is left to the database, whatever visitors send. */
const RESERVE_BYTES = 256 * 1024 * 1024

/** The files of one post: in a temporary folder until they are kept, together, under a name nobody can guess. */
export interface UploadFolder {
  /** 32 hex digits. */
  name: string
  /** A new, empty file and what it is called in the folder. The caller closes it. ENOSPC when the disk is nearly full. */
  create(): Promise<{ file: string; path: string; handle: FileHandle }>
  /** Brings every file and its place to disk: a power cut after this takes nothing away. Once is enough. */
  keep(): Promise<void>
  /** Removes all of it, kept or not. */
  discard(): Promise<void>
}

/** Nothing is made on disk before the first file. */
export function createUploadFolder(uploadsDir: string, { freeBytesOf = countFreeBytes } = {}): UploadFolder {
  const name = randomBytes(16).toString('hex')
  const temporary = join(uploadsDir, TEMPORARY_FOLDER, name)
  const permanent = join(uploadsDir, name)
  let count = 0
  let isKept = false

  return {
    name,
    async create() {
      count += 1
      const file = String(count)
      const path = join(temporary, file)
      await mkdir(temporary, { recursive: true, mode: 0o700 })
      if ((await freeBytesOf(temporary)) < RESERVE_BYTES) throw nearlyFull()
      return { file, path, handle: await open(path, 'wx', 0o600) }
    },
    async keep() {
      if (isKept || count === 0) return
      for (let file = 1; file <= count; file += 1) await syncPath(join(temporary, String(file)))
      await syncPath(temporary)
      await rename(temporary, permanent)
      await syncPath(uploadsDir)
      isKept = true
    },
    async discard() {
      if (count === 0) return
      await Promise.all([temporary, permanent].map((folder) => rm(folder, { recursive: true, force: true })))
    },
  }
}

async function countFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

function nearlyFull(): NodeJS.ErrnoException {
  return Object.assign(new Failure(startupTexts, 'diskNearlyFull'), { code: 'ENOSPC' })
}
