import type { Readable } from 'node:stream'

/** A bucket of an S3 service. */
export interface Bucket {
  /** Variable that names the bucket, for messages. */
  variable: 'FILE_STORE' | 'PUBLISH_TO'
  /** Origin of the service. */
  endpoint: string
  name: string
  /** Before every key, with a slash at its end; empty for none. */
  prefix: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** Place of files: a folder, which several servers may share, or a bucket of an S3 service. */
export type FilePlace = { kind: 'disk'; folder: string } | ({ kind: 'bucket' } & Bucket)

export interface OpenedFile {
  /** In bytes. */
  size: number
  stream: Readable
}

export interface ListedFile {
  /** Such as `uploads/0f…/1`. */
  key: string
  /** In bytes. */
  size: number
  writtenAt: Date
}

/**
 * Files by key, such as `uploads/0f…/1`. What a call has stored survives a power cut when the call resolves. A place that
 * does not answer throws a failure of the storage.
 */
export interface FileStore {
  /** A folder of this machine where files are made before the store keeps them. */
  localFolder: string
  /** Stores the files of a folder of `localFolder`, which is gone or of no use afterwards: all, or none is ever listed. */
  keepFolder(folder: string, key: string): Promise<void>
  /** Stores one file, in place of any with this key. */
  write(key: string, content: Blob): Promise<void>
  /** Undefined where nothing, or no plain file, has this key. */
  open(key: string): Promise<OpenedFile | undefined>
  /** Removes the file with this key, and everything below it. */
  remove(key: string): Promise<void>
  /** Lists every file below this key. */
  list(key: string): AsyncIterable<ListedFile>
}
