import type { Generated } from 'kysely'

export interface SearchTables {
  /** Names that terms and services had before; triggers write them. */
  former_names: {
    id: Generated<number>
    /** One of the two is null. */
    term_id: number | null
    entry_id: number | null
    slug: string
    name: string
  }
  /** Submissions whose words in the search index are out of date; triggers add them. */
  submission_search_pending: {
    submission_id: number
  }
  /** At most one row: the submissions up to this id are to be indexed again, newest first. */
  submission_search_rebuild: {
    next_id: number
  }
}
