import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStore } from '../../files/file-store.ts'
import { Failure } from '../../lib/messages.ts'
import { startupTexts } from '../../messages/server/startup.ts'

/** Keys of visitors' files in the file store. */
export const UPLOADS = 'uploads'

/** Free disk space reserved for the database, whatever visitors send. */
const RESERVE_BYTES = 256 * 1024 * 1024

/** The files of one post: in a temporary folder until they are all kept under an unguessable name. */
export interface UploadFolder {
  /** 32 hex digits. */
  name: string
  /**
   * Creates an empty file and returns its name in the folder. The caller closes it. ENOSPC when the disk is nearly
   * full.
   */
  create(): Promise<{ file: string; path: string; handle: FileHandle }>
  /** Folder of its files until they are kept. */
  temporary: string
  /**
   * Writes every file and its directory entry to disk, or to the bucket, so that a power failure loses nothing.
   * Further calls do nothing.
   */
  keep(): Promise<void>
  /** Deletes all files, kept or not. */
  discard(): Promise<void>
}

/** Folder on this machine for files of posts in progress. */
export function temporaryUploads({ localFolder }: FileStore): string {
  return join(localFolder, UPLOADS, 'tmp')
}

/** Nothing is created on disk before the first file. */
export function createUploadFolder(files: FileStore, { freeBytesOf = countFreeBytes } = {}): UploadFolder {
  const name = randomBytes(16).toString('hex')
  const temporary = join(temporaryUploads(files), name)
  let count = 0
  let isKept = false
  let mayBeInStore = false

  return {
    name,
    temporary,
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
      mayBeInStore = true
      await files.keepFolder(temporary, `${UPLOADS}/${name}`)
      isKept = true
      await rm(temporary, { recursive: true, force: true })
    },
    async discard() {
      if (count === 0) return
      await rm(temporary, { recursive: true, force: true })
      if (mayBeInStore) await files.remove(`${UPLOADS}/${name}`)
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
