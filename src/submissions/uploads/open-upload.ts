import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import { findUpload } from './upload-store.ts'

const FOLDER = /^[0-9a-f]{32}$/
const FILE = /^[1-9]\d{0,3}$/

/** A visitor's file, opened. `stream` closes it at its end, and when it is destroyed. */
export interface OpenedUpload {
  submissionId: number
  /** As the visitor called it, cleaned; nothing on disk is called by it. */
  name: string
  /** The media type that its bytes and its name said. */
  type: string
  /** Bytes on disk. */
  size: number
  stream: Readable
}

/**
 * Opens a stored file for an administrator. Undefined when there is no such upload, its file is gone, or its row names
 * anything but a plain file in its folder. Send it as an attachment with `nosniff`: it is a stranger's.
 */
export async function openUpload(
  db: Db,
  id: number,
  { uploadsDir, scope }: { uploadsDir: string; scope: LeadScope },
): Promise<OpenedUpload | undefined> {
  const upload = await findUpload(db, id, scope)
  if (!upload || !FOLDER.test(upload.folder) || !FILE.test(upload.file)) return undefined
  const path = join(uploadsDir, upload.folder, upload.file)
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  )
  const found = await handle?.stat()
  if (!handle || !found?.isFile()) {
    await handle?.close()
    return undefined
  }
  const { submissionId, name, type } = upload
  return { submissionId, name, type, size: found.size, stream: handle.createReadStream() }
}
