/** Stored facts of a file; its bytes are found by `upload_id`. */
type FileAnswer = {
  name: string
  /** Bytes. */
  size: number
  /** The media type its bytes and its name agree on. */
  type: string
  upload_id: number
}

/** The stored value of one field (contract §5). */
export type Answer = string | number | boolean | string[] | FileAnswer | null
