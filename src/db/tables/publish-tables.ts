import type { Generated } from 'kysely'

export type PublishStarter = 'command' | 'start' | 'schedule' | 'admin'
type PublishStatus = 'running' | 'published' | 'unchanged' | 'failed' | 'rolled_back'

export interface PublishTables {
  /** Every address a page was ever published at, with the key of the page that had it last. */
  published_addresses: {
    path: string
    page_key: string
  }
  /** The history of publishing: one row for each publish and roll back. */
  publishes: {
    id: Generated<number>
    /** Host and DATA_DIR at first: several machines over one database publish each for itself. */
    machine: string
    started_by: PublishStarter
    /** The administrator who pressed the button. */
    user_id: number | null
    /** The plan shows the content as it was at this moment. */
    started_at: string
    finished_at: string | null
    status: PublishStatus
    /** The release that it made, found up to date, or went back to. */
    release_id: string | null
    previous_release_id: string | null
    pages_added: Generated<number>
    pages_changed: Generated<number>
    pages_removed: Generated<number>
    pages_unchanged: Generated<number>
    reasons_json: string | null
    /** Of the files that visitors can ask for. */
    bytes: number | null
    failure_message: string | null
    log_json: string | null
  }
  /** Of each location page at the last publish. */
  page_quality: {
    entry_id: number
    score: number
    is_listed: 0 | 1
    facts_json: string
  }
  /** Pictures that entries name, as they were handed in; smaller ones are made when the site is published. */
  pictures: {
    /** Of its file in `content/pictures`: `austin-shop.jpg`. */
    name: string
    sha256: string
    width: number
    height: number
    bytes: Uint8Array
    updated_at: string
  }
}
