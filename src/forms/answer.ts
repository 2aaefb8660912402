/** Stored metadata of a file; `upload_id` leads to its bytes. */
type FileAnswer = {
  name: string
  /** Bytes. */
  size: number
  /** The media type that its bytes and its name agree on. */
  type: string
  upload_id: number
}

/** The stored value of one field (contract §5). */
export type Answer = string | number | boolean | string[] | FileAnswer | null
