import type { Selectable } from 'kysely'
import type { Schema } from '../db/schema.ts'

type VersionRow = Selectable<Schema['content_versions']>

/** The subject of versions. */
export interface Subject {
  kind: VersionRow['subject_kind']
  id: number
}

/** A version without its content. */
export interface Version {
  id: number
  state: VersionRow['state']
  source: VersionRow['source']
  /** The email of who saved it; null for a file, or when nobody knows. */
  savedBy: string | null
  /** UTC text. */
  savedAt: string
  contentSha256: string
}

/** The person or source of a save. */
export interface Saver {
  source: Exclude<Version['source'], 'unknown'>
  email?: string | undefined
}

/** When something is saved, and by whom. */
export interface Saving {
  /** UTC text. */
  now: string
  by?: Saver | undefined
}
