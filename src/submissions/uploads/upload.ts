import type { ReceivedFile } from '../../forms/received-file.ts'

/** A file of a post, in the post's temporary folder. `file` is empty if nothing was written. */
export interface UploadedFile extends ReceivedFile {
  file: string
}

/** The files that came with a post. */
export interface PostedFiles {
  /** By field name. It has no prototype, so it contains only names that were sent. */
  byField: Readonly<Record<string, readonly UploadedFile[]>>
  /** Name of the folder with its files. */
  folder: string
  /** Writes them to disk permanently: called when the answers are valid, before the submission is stored. */
  keep(): Promise<void>
}

/** A file to store with its submission. */
export interface NewUpload {
  fieldName: string
  name: string
  size: number
  type: string
  folder: string
  file: string
}

/** A stored file. Its bytes are in `uploads/<folder>/<file>` of the file store. */
export interface Upload extends NewUpload {
  id: number
  submissionId: number
  createdAt: string
}
