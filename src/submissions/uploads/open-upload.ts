import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import type { FileStore, OpenedFile } from '../../files/file-store.ts'
import { UPLOADS } from './upload-folder.ts'
import { findUpload } from './upload-store.ts'

const FOLDER = /^[0-9a-f]{32}$/
const FILE = /^[1-9]\d{0,3}$/

/** A visitor's file, opened. `stream` closes it at its end, and when it is destroyed. */
export interface OpenedUpload extends OpenedFile {
  submissionId: number
  /** As the visitor called it, cleaned; nothing on disk is called by it. */
  name: string
  /** The media type that its bytes and its name said. */
  type: string
}

/**
 * Opens a stored file for an administrator. Undefined when there is no such upload, its file is gone, or its row names
 * anything but a plain file in its folder. Send it as an attachment with `nosniff`: it is a stranger's.
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
