import type { Generated, Kysely, Transaction } from 'kysely'
import type { AdminTables } from './tables/admin-tables.ts'
import type { ContentTables } from './tables/content-tables.ts'
import type { CountTables } from './tables/count-tables.ts'
import type { MailTables } from './tables/mail-tables.ts'
import type { PictureTables } from './tables/picture-tables.ts'
import type { PrivacyTables } from './tables/privacy-tables.ts'
import type { PublishTables } from './tables/publish-tables.ts'
import type { SearchTables } from './tables/search-tables.ts'
import type { ServerTables } from './tables/server-tables.ts'
import type { VersionTables } from './tables/version-tables.ts'
import type { WebhookTables } from './tables/webhook-tables.ts'

/** Either the database or a transaction in it: what every store function takes first. */
export type Db = Kysely<Schema> | Transaction<Schema>

/** The tables as Kysely sees them. Date-times are UTC text, booleans 0 or 1, `_json` columns JSON text (§2). */
export interface Schema
  extends AdminTables,
    ContentTables,
    CountTables,
    MailTables,
    PictureTables,
    PrivacyTables,
    PublishTables,
    SearchTables,
    ServerTables,
    VersionTables,
    WebhookTables {
  forms: {
    id: Generated<number>
    slug: string
    name: string
    description: string | null
    status: Generated<'active' | 'draft' | 'archived'>
    settings_json: string | null
    is_builtin: Generated<Bool>
    created_at: Generated<string>
    updated_at: Generated<string>
    updated_by: number | null
    /** The newest row of form_versions. */
    version: Generated<number>
  }
  form_fields: {
    id: Generated<number>
    form_id: number
    position: Generated<number>
    type: Generated<string>
    name: string
    label: string
    placeholder: string | null
    default_value: string | null
    required: Generated<Bool>
    options_json: string | null
    validation_json: string | null
    help_text: string | null
  }
  /** Questions of a form at a time: static pages may be older than their form. */
  form_versions: {
    form_id: number
    version: number
    fields_json: string
    created_at: Generated<string>
  }
  form_submissions: {
    id: Generated<number>
    full_name: string | null
    email: string | null
    phone: string | null
    role: string | null
    clients_managed: string | null
    bottleneck: string | null
    submitted_at: Generated<string>
    form_id: number | null
    data_json: Generated<string>
    /** The visitor's `_id`: the same id is the same submission of that form. */
    client_id: string | null
    status: Generated<'new' | 'read' | 'archived' | 'spam'>
    page_path: string | null
    service_slug: string | null
    /** An entry; like `location_id`. */
    service_id: number | null
    /** As it was when the form was sent; null in older submissions. */
    service_name: string | null
    location_slug: string | null
    /** A term, which may be deleted; 0 if it can no longer be determined, null until it is looked up. */
    location_id: number | null
    /** The location's slugs from the root, joined by `/`, as the page had them. */
    location_path: string | null
    location_name: string | null
    /** The version of the form that it answered; null in submissions from before there were versions. */
    form_version: number | null
    /** Slug of a stage in the settings, or of one that another has replaced. */
    stage: Generated<string>
    /** 1 if its stage counts as won. */
    is_won: Generated<Bool>
    /** Its day in the site's time zone, by which it is counted; null in older leads, counted by their UTC day. */
    local_day: string | null
    /** Administrator in charge. */
    assignee_id: number | null
    /** Why it was marked as spam. */
    spam_code: string | null
    spam_params_json: string | null
    /** Source of the visitor, such as `ads:google`; null if unknown. */
    source: string | null
    /** First and last touch: see `SubmissionSource`. */
    source_json: string | null
    /** Field name → the wording of a checked box. */
    consents_json: string | null
  }
  /** A file that a visitor sent; its bytes are `uploads/<folder>/<file>` below DATA_DIR. */
  uploads: {
    id: Generated<number>
    submission_id: number
    field_name: string
    /** The visitor's name for it, made safe to show. Never a path. */
    name: string
    /** Bytes. */
    size: number
    type: string
    folder: string
    file: string
    created_at: string
  }
  taxonomies: {
    id: Generated<number>
    slug: string
    name: string
    description: string | null
    is_hierarchical: Generated<Bool>
    applies_to_type_ids_json: string | null
    is_builtin: Generated<Bool>
    sort_order: Generated<number>
    created_at: Generated<string>
    /** 1 when an administrator opted in to public archive pages (§1.7). */
    has_archive: Generated<Bool>
  }
  taxonomy_terms: {
    id: Generated<number>
    taxonomy_id: number
    parent_id: number | null
    slug: string
    name: string
    description: string | null
    position: Generated<number>
    created_at: Generated<string>
    /** Slugs it had before. */
    former_slugs_json: string | null
    /** Kind of a place; null if its depth in the tree determines it. */
    kind: 'country' | 'state' | 'region' | 'county' | 'city' | 'area' | null
  }
  entry_taxonomy_terms: {
    entry_id: number
    term_id: number
    type_id: number
  }
  settings: {
    key: string
    value_json: string
    updated_at: Generated<string>
  }
  /** Files that the last sync left out, because their rows changed too or they refer to such a file. */
  content_conflicts: {
    path: string
    kind: 'conflict' | 'waiting'
    message: string
    /** Contents of file and row, with literal secrets encrypted; null if missing. */
    file_json: string | null
    row_json: string | null
    /** Changes when the file or the row does. */
    version: string
    found_at: string
  }
  /** Errors in content files that stopped the last sync of each server. */
  content_errors: {
    /** As in `content_server_files`; empty if one server's files decide. */
    server: string
    /** Order in which a person corrects them. */
    position: number
    path: string
    line: number
    /** A code of `describeFileFault` with its parameters. */
    code: string
    params_json: string
    /** By the database's clock. */
    found_at: Generated<string>
  }
  /** Content of each file when it and its row were last equal: the base of the three-way rule (contract §3). */
  content_files: {
    path: string
    document_json: string
    row_sha256: string
    synced_at: Generated<string>
  }
  /** Hashes of all content files that were ever synced. PostgreSQL only. */
  content_file_hashes: {
    path: string
    sha256: string
  }
  /** The content files that each server had at its last sync. PostgreSQL only. */
  content_server_files: {
    /** Names its DATA_DIR. */
    server: string
    path: string
    sha256: string
    synced_at: string
  }
  /** Recently accepted posts, for the limits. */
  recent_posts: {
    id: Generated<number>
    /** Of the form and the visitor's address, with a key and the day; see src/submissions/limits/post-limits.ts. */
    address_hash: string
    posted_at: string
    upload_bytes: Generated<number>
  }
  /** Uploads of the last hour on PostgreSQL, for the limit of all servers. */
  recent_uploads: {
    id: Generated<number>
    /** As that of `recent_posts`. */
    address_hash: string
    started_at: string
    /** The announced number of bytes, later the received number. */
    bytes: number
  }
  /** The servers' codes for the first account, as SHA-256. */
  setup_codes: {
    code_hash: string
    created_at: string
  }
  /** Challenges of proof of work that were used, kept until they expire. */
  spent_challenges: {
    challenge: string
    expires_at: string
  }
}

type Bool = 0 | 1
