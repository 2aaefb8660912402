import type { Generated } from 'kysely'

/** Names that terms and services had before; triggers write them. */
export interface FormerNamesTable {
  id: Generated<number>
  /** One of the two is null. */
  term_id: number | null
  entry_id: number | null
  slug: string
  name: string
}

/** Submissions whose words in the search index are out of date; triggers add them. */
export interface SubmissionSearchPendingTable {
  submission_id: number
}

/** At most one row: the submissions up to this id are to be indexed again, newest first. */
export interface SubmissionSearchRebuildTable {
  next_id: number
}
