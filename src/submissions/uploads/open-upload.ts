import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import type { FileStore, OpenedFile } from '../../files/file-store.ts'
import { UPLOADS } from './upload-folder.ts'
import { findUpload } from './upload-store.ts'

const FOLDER = /^[0-9a-f]{32}$/
const FILE = /^[1-9]\d{0,3}$/

/** A visitor's file, opened. `stream` closes it at its end or when destroyed. */
export interface OpenedUpload extends OpenedFile {
  submissionId: number
  /** The visitor's name for it, cleaned. It is never used on disk. */
  name: string
  /** The media type that its bytes and its name indicated. */
  type: string
}

/**
 * Opens a stored file for an administrator. Undefined if there is no such upload, its file is missing, or its row
 * names anything but a plain file in its folder. Send it as an attachment with `nosniff`, because it isn't trusted.
 */
export async function openUpload(
  db: Db,
  id: number,
  { files, scope }: { files: FileStore; scope: LeadScope },
): Promise<OpenedUpload | undefined> {
  const upload = await findUpload(db, id, scope)
  if (!upload || !FOLDER.test(upload.folder) || !FILE.test(upload.file)) return undefined
  const file = await files.open(`${UPLOADS}/${upload.folder}/${upload.file}`)
  const { submissionId, name, type } = upload
  return file && { submissionId, name, type, ...file }
}
