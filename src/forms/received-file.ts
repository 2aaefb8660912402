/** The largest file that any form accepts: 25 MiB. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024
const DEFAULT_FILE_BYTES = 10 * 1024 * 1024
const KIB = 1024
const MIB = KIB * KIB

/** A file as received, before any checks. */
export interface ReceivedFile {
  /** Safe to show; see `cleanFileName`. */
  name: string
  /** In bytes. If it exceeds the field's limit, the rest was not read. */
  size: number
  /** The type that its bytes and its name agree on; null if they disagree or forms don't accept it. */
  type: string | null
}

/** The files of a post by field name; fields without files are missing. */
export type ReceivedFiles = Readonly<Record<string, readonly ReceivedFile[]>>

/** Returns the maximum file size of this field: `max_size`, else 10 MiB, and never more than 25 MiB. */
export function maxFileBytes({ max_size = DEFAULT_FILE_BYTES }: { max_size?: number | undefined }): number {
  return Math.min(max_size, MAX_FILE_BYTES)
}

/**
 * Formats a size as `10 MB`, `1.5 MB`, `200 KB`, or `12 bytes`. Rounded down, so that a file of the stated
 * size is always accepted.
 */
export function formatFileSize(bytes: number): string {
  if (bytes >= MIB) return `${Math.floor((bytes / MIB) * 10) / 10} MB`
  if (bytes >= KIB) return `${Math.floor(bytes / KIB)} KB`
  return bytes === 1 ? '1 byte' : `${bytes} bytes`
}
