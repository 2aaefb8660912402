import { type Kysely, sql } from 'kysely'
import { type Engine, engineOf, idType, nowAsText, referenceType, tableOptions } from '../src/db/dialects.ts'

/** A table of content: what its rows are about, and the columns that pages show something of. */
interface Logged {
  table: string
  subject: string
  /** The column that names the subject. */
  key: string
  columns: readonly string[]
  /** Only these rows, of `row`. */
  only?: string
}

const TABLES: readonly Logged[] = [
  {
    ...{ table: 'content_entries', subject: 'entry', key: 'id' },
    columns: [
      ...['type_id', 'slug', 'title', 'status', 'body', 'data_json', 'is_generated', 'publish_at'],
      ...['unpublish_at', 'redirect_from_json'],
    ],
  },
  {
    ...{ table: 'entry_taxonomy_terms', subject: 'entry_terms', key: 'entry_id' },
    columns: ['entry_id', 'term_id', 'type_id'],
  },
  {
    ...{ table: 'taxonomy_terms', subject: 'term', key: 'id' },
    columns: [
      ...['taxonomy_id', 'parent_id', 'slug', 'name', 'description', 'position', 'kind'],
      'former_slugs_json',
    ],
  },
  {
    ...{ table: 'taxonomies', subject: 'taxonomy', key: 'id' },
    columns: [
      ...['slug', 'name', 'description', 'is_hierarchical', 'applies_to_type_ids_json', 'sort_order'],
      'has_archive',
    ],
  },
  {
    ...{ table: 'content_types', subject: 'type', key: 'id' },
    columns: [
      ...['slug', 'name', 'description', 'is_routable', 'route_pattern', 'detail_partial', 'schema_json'],
      'sort_order',
    ],
  },
  {
    ...{ table: 'forms', subject: 'form', key: 'id' },
    columns: ['slug', 'name', 'description', 'status', 'settings_json', 'is_builtin'],
  },
  {
    ...{ table: 'form_fields', subject: 'form', key: 'form_id' },
    columns: [
      ...['form_id', 'position', 'type', 'name', 'label', 'placeholder', 'default_value', 'required'],
      ...['options_json', 'validation_json', 'help_text'],
    ],
  },
  { table: 'pictures', subject: 'picture', key: 'name', columns: ['name', 'sha256', 'width', 'height'] },
  { table: 'settings', subject: 'setting', key: 'key', columns: ['value_json'], only: `row.key = 'site'` },
  // True if a form has a file decides whether search engines may list its page.
  {
    ...{ table: 'content_files', subject: 'form_file', key: 'path', columns: ['path'] },
    only: `row.path like 'forms/%'`,
  },
]

/**
 * Writes down what is saved of all that pages are made of, in the transaction that saves it: a publish asks for it
 * instead of looking for it. Triggers do it, because no code that writes a table can forget them. The first row stands
 * for all that was saved before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table content_changes (
    id ${idType(engine)},
    saved_at text not null default ${nowAsText(engine)},
    subject text not null,
    subject_id text not null,
    action text not null check (action in ('added', 'edited', 'removed')),
    transaction_id ${referenceType(engine)}${engine === 'postgres' ? sql` default (pg_current_xact_id()::text::bigint)` : sql``}
  ) ${tableOptions(engine)}`.execute(db)
  await sql`insert into content_changes (subject, subject_id, action, transaction_id)
    values ('log', '', 'added', 0)`.execute(db)
  for (const logged of TABLES)
    for (const [event, action] of EVENTS) await createTrigger(db, engine, { logged, event, action })
  for (const column of ['change_id', 'scope_code'] as const) {
    const type = column === 'change_id' ? referenceType(engine) : sql`text`
    await sql`alter table publishes add column ${sql.ref(column)} ${type}`.execute(db)
  }
}

const EVENTS = [
  ['insert', 'added'],
  ['update', 'edited'],
  ['delete', 'removed'],
] as const

interface Trigger {
  logged: Logged
  event: (typeof EVENTS)[number][0]
  action: (typeof EVENTS)[number][1]
}

async function createTrigger(db: Kysely<unknown>, engine: Engine, trigger: Trigger) {
  const { logged, event, action } = trigger
  const { table, subject, key } = logged
  const name = `${table}_log_${event}`
  const row = event === 'delete' ? 'old' : 'new'
  const insert = `insert into content_changes (subject, subject_id, action)
    values ('${subject}', cast(${row}.${key} as text), '${action}');`
  const on = `after ${event} on ${table} for each row ${conditionOf(engine, trigger)}`
  if (engine === 'sqlite') {
    await sql.raw(`create trigger ${name} ${on} begin ${insert} end`).execute(db)
    return
  }
  await sql
    .raw(
      `create function ${name}() returns trigger language plpgsql as $$ begin ${insert} return null; end $$`,
    )
    .execute(db)
  await sql.raw(`create trigger ${name} ${on} execute function ${name}()`).execute(db)
}

// A row that is saved as it was is no change.
function conditionOf(engine: Engine, { logged: { columns, only }, event }: Trigger): string {
  const differs = engine === 'sqlite' ? 'is not' : 'is distinct from'
  const changed = columns.map((column) => `old.${column} ${differs} new.${column}`).join(' or ')
  const row = event === 'delete' ? 'old' : 'new'
  const parts = [event === 'update' && `(${changed})`, only?.replace('row.', `${row}.`)].filter(Boolean)
  return parts.length > 0 ? `when (${parts.join(' and ')})` : ''
}
