import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { CONTENT_TABLES, LEADS, PERSONAL_TABLES } from '#src/privacy/personal-columns.ts'
import { openTestDatabase } from '#tests/support/database.ts'

/** Tables without a visitor's data, and why. Those of which some columns are searched need no line. */
const WITHOUT_VISITORS: Readonly<Record<string, string>> = {
  admin_invitations: 'Hashes of links for users.',
  admin_passkeys: 'Of users, who are removed under Team.',
  admin_password_resets: 'Hashes of links for users.',
  admin_recovery_codes: 'Hashes of codes of users.',
  admin_sessions: 'Of users, who are removed under Team.',
  admin_users: 'Users, who are removed under Team.',
  content_changes: 'Kinds and IDs.',
  content_conflicts: 'What the business wrote.',
  content_errors: 'What the business wrote.',
  content_files: 'What the business wrote.',
  content_trash: 'What the business wrote; gone after 30 days.',
  content_types: 'What the business wrote.',
  content_versions: 'What the business wrote.',
  count_cursors: 'Names of counters.',
  daily_counts: 'Sums.',
  daily_work: 'What the program did.',
  entry_editors: 'Which users have an editor open.',
  form_fields: 'What the business wrote.',
  form_versions: 'What the business wrote.',
  content_file_hashes: 'Hashes of files.',
  content_server_files: 'Hashes of files.',
  form_webhooks: 'What the business wrote.',
  former_names: 'Names of places and services.',
  kysely_migration: 'Names of migrations.',
  kysely_migration_lock: 'The lock of migrations.',
  lead_changes: 'Added to the sums first, whose pages and sources are searched.',
  lead_counts: 'Pages and sources are searched: see every-trace.test.ts.',
  library_pictures: 'What the business wrote.',
  monthly_reports: 'Emails to users.',
  page_quality: 'Facts about pages.',
  outlet_addresses: 'Addresses of pages.',
  passkey_challenges: 'Of users; gone after 5 minutes.',
  picture_uses: 'Names of pictures.',
  picture_versions: 'Hashes of pictures.',
  trashed_picture_files: 'Hashes of pictures.',
  pictures: 'Pictures of the business.',
  privacy_erasures: 'The person is forgotten with the last step.',
  published_addresses: 'Addresses of pages.',
  publish_outlets: 'What the program did.',
  publishes: 'What the program did.',
  recent_posts: 'A keyed hash that changes every day.',
  recent_uploads: 'A keyed hash that changes every day.',
  setup_codes: 'A hash of a random code.',
  daily_backups: 'The last backup, and the machine that has it.',
  dispatchers: 'The servers of the site.',
  release_servers: 'The machines of the site.',
  schema_support: 'Versions of the program.',
  servers: 'The machines of the site.',
  site_leader: 'The machines of the site.',
  shared_releases: 'Files of releases.',
  shared_site: 'Which release is live, and which machine publishes.',
  settings: 'What the business wrote.',
  sign_in_failures: 'Of users; gone after 15 minutes.',
  spent_challenges: 'Random numbers.',
  sqlite_sequence: 'Of SQLite.',
  taxonomies: 'What the business wrote.',
  traffic_counts: 'Pages and sources are searched: see every-trace.test.ts.',
}

/** Columns of searched tables that hold no text of a visitor. */
const PLAIN =
  /^(?:id|form_id|status|stage|local_day|kind|\w+_sha256|mail_status|made_by|release_id|failure_message|changes_json|selected_json|edits_json|page_kinds_json|\w+_at|\w+_slug|\w+_path|location_name|service_name|client_id|\w+_code|recipient|user_email|address|action|subject_type|chain_hash|message_id|claimed_by|field_name|type|folder|file|slug|former_slugs_json|redirect_from_json|failure_kind|request_method)$/

test('every table is searched for people or has a documented exception', async (t) => {
  const db = await openTestDatabase(t)
  const { rows } = await sql<{ table: string; column: string }>`
    select m.name as "table", c.name as "column" from sqlite_master as m, pragma_table_info(m.name) as c
    where m.type = 'table' and lower(c.type) in ('text', 'blob') and m.name not like 'submission_search%'`.execute(
    db,
  )
  const searched = new Map<string, readonly string[]>(
    [LEADS, ...PERSONAL_TABLES, ...CONTENT_TABLES].map(({ table, columns }) => [table, columns]),
  )
  const forgotten = rows.filter(({ table, column }) => {
    const columns = searched.get(table)
    if (!columns) return WITHOUT_VISITORS[table] === undefined
    return !columns.includes(column) && !PLAIN.test(column)
  })
  assert.deepEqual(
    forgotten,
    [],
    'Add these to src/privacy/personal-columns.ts where visitors can be in them, else to the lists of this test',
  )
  for (const [table, columns] of searched)
    for (const column of columns)
      assert.ok(
        rows.some((row) => row.table === table && row.column === column),
        `${table}.${column} is a column`,
      )
})
