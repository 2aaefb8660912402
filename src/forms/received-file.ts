/** The largest file that any form accepts: 25 MiB. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024
const DEFAULT_FILE_BYTES = 10 * 1024 * 1024
const KIB = 1024
const MIB = KIB * KIB

/** A file as it arrived, before anything was decided about it. */
export interface ReceivedFile {
  /** Safe to show; see `cleanFileName`. */
  name: string
  /** Bytes. More than the limit of its field says that the rest was not read. */
  size: number
  /** Kind that its bytes and its name agree on; null if they disagree or forms do not accept it. */
  type: string | null
}

/** The files of one post by field name; fields without one are left out. */
export type ReceivedFiles = Readonly<Record<string, readonly ReceivedFile[]>>

/** The bytes a file of this field may have: `max_size`, else 10 MiB, never more than 25 MiB. */
export function maxFileBytes({ max_size = DEFAULT_FILE_BYTES }: { max_size?: number | undefined }): number {
  return Math.min(max_size, MAX_FILE_BYTES)
}

/** `10 MB`, `1.5 MB`, `200 KB`, `12 bytes`: rounded down, so that a file of that size is never too large. */
export function formatFileSize(bytes: number): string {
  if (bytes >= MIB) return `${Math.floor((bytes / MIB) * 10) / 10} MB`
  if (bytes >= KIB) return `${Math.floor(bytes / KIB)} KB`
  return bytes === 1 ? '1 byte' : `${bytes} bytes`
}
