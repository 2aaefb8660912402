import type { Generated } from 'kysely'

export type PublishStarter = 'command' | 'start' | 'schedule' | 'admin'
/** `changes`: the pages affected by saved changes. All others: every page, with the reason. */
export type PublishScopeCode =
  | 'changes'
  | 'asked'
  | 'first'
  | 'program'
  | 'schedule'
  | 'selected'
  | 'rolled_back'
  | 'unknown_changes'
  | 'many_changes'
  | 'shared_content'
/** Subject of a change. */
export type ChangeSubject =
  | 'entry'
  | 'entry_terms'
  | 'term'
  | 'taxonomy'
  | 'type'
  | 'form'
  | 'form_file'
  | 'picture'
  | 'setting'
type PublishStatus = 'running' | 'published' | 'unchanged' | 'failed' | 'rolled_back'

export interface PublishTables {
  /** Work for external copies of the site: uploads to a bucket, and announcements of changed addresses. */
  publish_outlets: {
    name: 'upload' | 'purge' | 'indexnow'
    status: 'done' | 'running' | 'failed'
    /** Release that the work is done for. */
    release_id: string | null
    done: Generated<number>
    total: Generated<number>
    /** Failures since the last success. */
    failures: Generated<number>
    failure_message: string | null
    updated_at: string
    next_attempt_at: string
    /** Process that does the work of all outlets, in the row of the upload. */
    claimed_by: string | null
    claimed_until: string | null
  }
  /** Changed addresses that a CDN or search engines haven't been notified of yet. */
  outlet_addresses: {
    name: 'purge' | 'indexnow'
    /** With its origin. */
    address: string
  }
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
    /** The size of the files that visitors can request. */
    bytes: number | null
    failure_message: string | null
    log_json: string | null
    /** The last row of `content_changes` that is in it. */
    change_id: number | null
    /** Pages that were compared: those of these changes, or all of them and why. */
    scope_code: PublishScopeCode | null
  }
  /** Releases in the file store, for servers that share a site. */
  shared_releases: {
    id: string
    /** The release that its files are added to; null when it has all of them. */
    parent_id: string | null
    /** Its files in the store. */
    parts_json: string
    /** Those of the whole release, where it has a parent and both are stored. */
    whole_parts_json: string | null
    made_at: string
  }
  /** One row: what all servers of the site show, and which of them publishes. */
  shared_site: {
    id: number
    /** The release that visitors see. */
    live_id: string | null
    /** The release that servers get ready for. */
    next_id: string | null
    /** Names the process that publishes. */
    owner: string | null
    /** Names its server. */
    server: string | null
    /** When it last said so, by the database's clock. */
    renewed_at: string | null
    progress_json: string | null
    /** When a server that waits for its turn last said so. */
    wanted_at: string | null
  }
  /** The servers that share the site, with what is on their disks. */
  release_servers: {
    server: string
    /** The release that its visitors see. */
    release_id: string | null
    /** The newest release that it could show. */
    staged_id: string | null
    /** By the database's clock. */
    seen_at: string
  }
  /** Links to the next site, for people without an account. */
  publish_previews: {
    id: Generated<number>
    token_sha256: string
    made_at: string
    /** The email address of the user who made it. */
    made_by: string
    expires_at: string
    ended_at: string | null
    /** The live release that it was compared with. */
    release_id: string
    /** The last row of `content_changes` that is in it. */
    change_id: number
    /** Over the bytes of all pages that differ. */
    pages_sha256: string
    /** The first pages that differ. */
    changes_json: string
    /** The selected changes; null when it has all of them. */
    selected_json: string | null
    /** The changes in words. */
    edits_json: Generated<string>
    /** Numbers of the pages that differ by kind. */
    page_kinds_json: Generated<string>
    /** 1 if there are more changes than those. */
    has_more_edits: Generated<number>
    approved_at: string | null
    /** The name that the visitor gave. */
    approved_by: string | null
    approval_note: string | null
    published_at: string | null
    /** Null while its pages are made. */
    ready_at: string | null
    /** The reason that it has no pages. */
    failure_message: string | null
    /** Number of pages that differ. */
    page_count: number
  }
  /** Answers of people with a preview link, and the mail about each to the user who made it. */
  preview_answers: {
    id: Generated<number>
    preview_id: number
    kind: 'approved' | 'changes'
    /** The name that the visitor gave. */
    name: string
    note: string | null
    answered_at: string
    mail_status: 'off' | 'pending' | 'sent' | 'failed'
    /** The next attempt; of one under way, when it counts as lost. */
    mail_due_at: string
    mail_attempts: Generated<number>
    mail_error: string | null
  }
  /** Log of changes to the content of pages, in order. Triggers write it (migration 0070). */
  content_changes: {
    id: Generated<number>
    saved_at: Generated<string>
    subject: ChangeSubject | 'log'
    /** The id of its row; of a picture or file its name. */
    subject_id: string
    action: 'added' | 'edited' | 'removed'
    /** PostgreSQL only: ids are given out before the rows of other transactions can be seen. */
    transaction_id: Generated<number | null>
  }
  /** Of each location page at the last publish. */
  page_quality: {
    entry_id: number
    score: number
    is_listed: 0 | 1
    facts_json: string
  }
  /** Pictures of versions before the library, with their bytes: read where the picture store has no such file. */
  pictures: {
    name: string
    sha256: string
    width: number
    height: number
    bytes: Uint8Array
    updated_at: string
  }
}
