import type { Generated } from 'kysely'

export interface VersionTables {
  /** Contents of entries, terms, forms, pictures, and the settings at each save, and drafts of live ones. */
  content_versions: {
    id: Generated<number>
    subject_kind: 'entry' | 'term' | 'form' | 'picture' | 'settings'
    subject_id: number
    /** `draft`: saved beside the live one, and at most one of each; `former_draft`: replaced, used, or discarded. */
    state: 'saved' | 'draft' | 'former_draft'
    /** `unknown`: found when something else was saved. */
    source: 'admin' | 'file' | 'restored' | 'unknown'
    /** The email of the administrator. */
    saved_by: string | null
    saved_at: string
    /** The hash of the canonical JSON. */
    content_sha256: string
    /** JSON, compressed by Zstandard where a content file brought it. */
    content: Uint8Array
  }
  /** Deleted rows, until they are restored or 30 days have passed. */
  content_trash: {
    id: Generated<number>
    subject_kind: 'entry' | 'term' | 'form' | 'picture'
    subject_id: number
    /** For a term, its taxonomy; for a picture, the hash of its bytes. */
    type_slug: string
    name: string
    /** Number of other rows that were deleted along. */
    parts: number
    source: 'admin' | 'file'
    deleted_by: string | null
    deleted_at: string
    /** JSON, compressed by Zstandard. */
    content: Uint8Array
  }
}
