import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { insertRow, type Row, unique } from './rows.ts'

/** What spec.md §2 says about a table, as data. */
export interface DocumentTable {
  section: string
  table: string
  /** The least that the document lets one insert. */
  row(db: Kysely<Schema>): Promise<Row>
  columns: Record<string, ColumnRule>
}

export interface ColumnRule {
  type: 'integer' | 'text'
  /** What is stored when nothing is given; `now` is the moment of insert. Without it a value must be given. */
  default?: string | number | null | 'now'
  nullable?: true
}

const requiredText = { type: 'text' } as const
const requiredInteger = { type: 'integer' } as const
const optionalText = { type: 'text', default: null, nullable: true } as const
const optionalInteger = { type: 'integer', default: null, nullable: true } as const
const now = { type: 'text', default: 'now' } as const
const integer = (byDefault: number) => ({ type: 'integer', default: byDefault }) as const
const text = (byDefault: string) => ({ type: 'text', default: byDefault }) as const

export const DOCUMENT_TABLES: DocumentTable[] = [
  {
    section: '§2.1',
    table: 'forms',
    row: async () => ({ slug: unique('form'), name: 'A form' }),
    columns: {
      slug: requiredText,
      name: requiredText,
      description: optionalText,
      status: text('active'),
      settings_json: optionalText,
      is_builtin: integer(0),
      created_at: now,
      updated_at: now,
      updated_by: optionalInteger,
    },
  },
  {
    section: '§2.2',
    table: 'form_fields',
    row: async (db) => ({ form_id: await aForm(db), name: unique('field'), label: 'A field' }),
    columns: {
      form_id: requiredInteger,
      position: integer(0),
      type: text('text'),
      name: requiredText,
      label: requiredText,
      placeholder: optionalText,
      default_value: optionalText,
      required: integer(0),
      options_json: optionalText,
      validation_json: optionalText,
      help_text: optionalText,
    },
  },
  {
    section: '§2.3',
    table: 'form_webhooks',
    row: async (db) => ({ form_id: await aForm(db), url: 'https://example.com/hook' }),
    columns: {
      form_id: requiredInteger,
      name: text('Webhook'),
      url: requiredText,
      method: text('POST'),
      headers_json: optionalText,
      payload_template_json: optionalText,
      fire_on_json: optionalText,
      signing_secret: optionalText,
      max_retries: integer(6),
      enabled: integer(1),
      created_at: now,
    },
  },
  {
    section: '§2.4',
    table: 'form_submissions',
    row: async () => ({ page_path: '/' }),
    columns: {
      form_id: optionalInteger,
      data_json: text('{}'),
      full_name: optionalText,
      email: optionalText,
      phone: optionalText,
      role: optionalText,
      clients_managed: optionalText,
      bottleneck: optionalText,
      submitted_at: now,
    },
  },
  {
    section: '§2.5',
    table: 'webhook_deliveries',
    row: async (db) => ({ submission_id: await aSubmission(db) }),
    columns: { form_id: optionalInteger, webhook_id: optionalInteger },
  },
  {
    section: '§2.6',
    table: 'taxonomies',
    row: async () => ({ slug: unique('taxonomy'), name: 'A taxonomy' }),
    columns: {
      slug: requiredText,
      name: requiredText,
      description: optionalText,
      is_hierarchical: integer(0),
      applies_to_type_ids_json: optionalText,
      is_builtin: integer(0),
      sort_order: integer(100),
      created_at: now,
    },
  },
  {
    section: '§2.7',
    table: 'taxonomy_terms',
    row: async (db) => ({ taxonomy_id: await aTaxonomy(db), slug: unique('term'), name: 'A term' }),
    columns: {
      taxonomy_id: requiredInteger,
      parent_id: optionalInteger,
      slug: requiredText,
      name: requiredText,
      description: optionalText,
      position: integer(0),
      created_at: now,
    },
  },
  {
    section: '§2.8',
    table: 'entry_taxonomy_terms',
    row: async (db) => ({ entry_id: await anEntry(db), term_id: await aTerm(db), type_id: 1 }),
    columns: { entry_id: requiredInteger, term_id: requiredInteger, type_id: requiredInteger },
  },
  {
    section: '§2.9',
    table: 'content_types',
    row: async () => ({ slug: unique('type'), name: 'A type' }),
    columns: {
      slug: requiredText,
      name: requiredText,
      description: optionalText,
      is_routable: integer(0),
      route_pattern: optionalText,
      detail_partial: optionalText,
      schema_json: text('{"fields":[]}'),
      is_builtin: integer(0),
      sort_order: integer(100),
    },
  },
  {
    section: '§2.10',
    table: 'content_entries',
    row: async () => ({ type_id: 1, slug: unique('entry'), title: 'An entry' }),
    columns: { slug: requiredText },
  },
  {
    section: '§2.10',
    table: 'admin_users',
    row: async () => ({ email: `${unique('admin')}@example.com` }),
    columns: {},
  },
]

/** The tables whose `id` is assigned: all but the links of §2.8. */
export const TABLES_WITH_IDS = DOCUMENT_TABLES.filter(({ table }) => table !== 'entry_taxonomy_terms')

/** Section, table, column, every value it may have, some that it may not. */
export const CHECKS: [string, string, string, unknown[], unknown[]][] = [
  ['§2.1', 'forms', 'status', ['active', 'draft', 'archived'], ['', 'ACTIVE', 'deleted']],
  ['§2.1', 'forms', 'is_builtin', [0, 1], [2, -1]],
  [
    '§2.2',
    'form_fields',
    'type',
    [
      ...['text', 'email', 'phone', 'textarea', 'select', 'radio'],
      ...['checkbox', 'file', 'hidden', 'url', 'number', 'date'],
    ],
    ['', 'password', 'Text'],
  ],
  ['§2.2', 'form_fields', 'required', [0, 1], [2, -1]],
  ['§2.3', 'form_webhooks', 'enabled', [0, 1], [2, -1]],
  ['§2.6', 'taxonomies', 'is_hierarchical', [0, 1], [2, -1]],
  ['§2.6', 'taxonomies', 'is_builtin', [0, 1], [2, -1]],
  ['§2.9', 'content_types', 'is_routable', [0, 1], [2, -1]],
  ['§2.9', 'content_types', 'is_builtin', [0, 1], [2, -1]],
  ['contract §3', 'content_entries', 'status', ['draft', 'published'], ['', 'archived']],
  ['contract §3', 'content_entries', 'is_generated', [0, 1], [2, -1]],
  ['contract §4', 'taxonomies', 'has_archive', [0, 1], [2, -1]],
  [
    'contract §6',
    'webhook_deliveries',
    'status',
    ['pending', 'delivering', 'delivered', 'failed', 'skipped', 'cancelled'],
    ['', 'done'],
  ],
  ['contract §7', 'form_submissions', 'status', ['new', 'read', 'archived', 'spam'], ['', 'deleted']],
]

/** Section, table, the columns whose values together are unique. */
export const UNIQUE: [string, string, string[]][] = [
  ['§2.1', 'forms', ['slug']],
  ['§2.2', 'form_fields', ['form_id', 'name']],
  ['§2.6', 'taxonomies', ['slug']],
  ['§2.7', 'taxonomy_terms', ['taxonomy_id', 'slug']],
  ['§2.8', 'entry_taxonomy_terms', ['entry_id', 'term_id']],
  ['§2.9', 'content_types', ['slug']],
  ['§2.9 rule 3', 'content_entries', ['type_id', 'slug']],
]

/** Section, table, columns of an index. */
export const INDEXES: [string, string, string][] = [
  ['§2.2', 'form_fields', 'form_id'],
  ['§2.3', 'form_webhooks', 'form_id'],
  ['§2.4', 'form_submissions', 'form_id,submitted_at'],
  ['§2.5', 'webhook_deliveries', 'form_id,webhook_id'],
  ['§2.7', 'taxonomy_terms', 'parent_id'],
  ['§2.7', 'taxonomy_terms', 'taxonomy_id'],
  ['§2.8', 'entry_taxonomy_terms', 'entry_id,term_id'],
  ['§2.8', 'entry_taxonomy_terms', 'term_id'],
  ['§2.8', 'entry_taxonomy_terms', 'type_id,term_id'],
  ['contract §6', 'webhook_deliveries', 'submission_id'],
  ['contract §6', 'webhook_deliveries', 'webhook_id'],
  ['contract §6', 'delivery_attempts', 'delivery_id'],
]

/** Section, table, a column that holds another table's id. */
export const REFERENCES: [string, string, string][] = [
  ['§2.1', 'forms', 'updated_by'],
  ['§2.2', 'form_fields', 'form_id'],
  ['§2.3', 'form_webhooks', 'form_id'],
  ['§2.7', 'taxonomy_terms', 'taxonomy_id'],
  ['§2.7', 'taxonomy_terms', 'parent_id'],
  ['§2.8', 'entry_taxonomy_terms', 'entry_id'],
  ['§2.8', 'entry_taxonomy_terms', 'term_id'],
]

/** The least row of a table. */
export async function aRow(db: Kysely<Schema>, table: string, overrides: Row = {}): Promise<Row> {
  const rule = DOCUMENT_TABLES.find((candidate) => candidate.table === table)
  if (!rule) throw new Error(`${table} is not in the document`)
  return { ...(await rule.row(db)), ...overrides }
}

async function insertedId(db: Kysely<Schema>, table: string, overrides: Row = {}): Promise<number> {
  const row = await insertRow(db, table, await aRow(db, table, overrides))
  return row.id as number
}

export const anAdmin = (db: Kysely<Schema>) => insertedId(db, 'admin_users')
export const aForm = (db: Kysely<Schema>, row?: Row) => insertedId(db, 'forms', row)
export const aField = (db: Kysely<Schema>, row?: Row) => insertedId(db, 'form_fields', row)
export const aWebhook = (db: Kysely<Schema>, row?: Row) => insertedId(db, 'form_webhooks', row)
export const aSubmission = (db: Kysely<Schema>, row?: Row) => insertedId(db, 'form_submissions', row)
export const aDelivery = (db: Kysely<Schema>, row?: Row) => insertedId(db, 'webhook_deliveries', row)
export const aTaxonomy = (db: Kysely<Schema>) => insertedId(db, 'taxonomies')
export const aTerm = (db: Kysely<Schema>, row?: Row) => insertedId(db, 'taxonomy_terms', row)
export const anEntry = (db: Kysely<Schema>) => insertedId(db, 'content_entries')
