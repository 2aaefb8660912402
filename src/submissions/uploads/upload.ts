import type { ReceivedFile } from '../../forms/received-file.ts'

/** A file of a post, in the temporary folder of that post; `file` is empty when nothing of it was written. */
export interface UploadedFile extends ReceivedFile {
  file: string
}

/** The files that came with a post. */
export interface PostedFiles {
  /** By field name. It has no prototype: what it holds was sent. */
  byField: Readonly<Record<string, readonly UploadedFile[]>>
  /** Name of the folder with its files. */
  folder: string
  /** Brings them to disk to stay: called once the answers are right, before the submission is stored. */
  keep(): Promise<void>
}

/** A file to be stored with its submission. */
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
