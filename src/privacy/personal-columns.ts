import type { Schema } from '../db/schema.ts'

/** A table whose texts may contain a visitor's data. */
export interface PersonalTable {
  table: keyof Schema
  key: 'id' | 'delivery_id'
  columns: readonly string[]
  /** The column with the ID of the row's lead; null if rows have no lead. */
  lead: 'id' | 'submission_id' | null
  /** Other table that has that column: its name, and the column that refers to it. */
  via?: { table: 'webhook_deliveries' | 'notification_mails'; column: 'delivery_id' | 'mail_id' }
}

const OF_DELIVERY = { table: 'webhook_deliveries', column: 'delivery_id' } as const

export const LEADS: PersonalTable = {
  ...{ table: 'form_submissions', key: 'id', lead: 'id' },
  columns: [
    ...['data_json', 'source_json', 'consents_json', 'spam_params_json', 'page_path', 'source'],
    ...['full_name', 'email', 'phone', 'role', 'clients_managed', 'bottleneck'],
  ],
}

/**
 * All tables besides that of leads whose texts may contain a visitor's data. Most rows are deleted with their lead;
 * in rows of other leads, the person is replaced. tests/integration/privacy/every-text-column.test.ts compares the
 * list with the tables.
 */
export const PERSONAL_TABLES: readonly PersonalTable[] = [
  { table: 'uploads', key: 'id', lead: 'submission_id', columns: ['name'] },
  { table: 'submission_notes', key: 'id', lead: 'submission_id', columns: ['body'] },
  { table: 'notification_mails', key: 'id', lead: 'submission_id', columns: ['last_error'] },
  {
    ...{ table: 'mail_attempts', key: 'id', lead: 'submission_id', columns: ['response', 'failure_message'] },
    via: { table: 'notification_mails', column: 'mail_id' },
  },
  {
    ...{ table: 'reply_mails', key: 'id', lead: 'submission_id' },
    columns: ['recipient', 'limit_key', 'response', 'last_error'],
  },
  {
    ...{ table: 'webhook_deliveries', key: 'id', lead: 'submission_id' },
    columns: ['trace_json', 'outcome_params_json'],
  },
  {
    table: 'delivery_bodies',
    key: 'delivery_id',
    lead: 'submission_id',
    columns: ['body'],
    via: OF_DELIVERY,
  },
  {
    ...{ table: 'delivery_attempts', key: 'id', lead: 'submission_id', via: OF_DELIVERY },
    columns: [
      ...['request_url', 'request_headers_json', 'response_headers_json', 'response_body'],
      'failure_message',
    ],
  },
  { table: 'preview_answers', key: 'id', lead: null, columns: ['name', 'note', 'mail_error'] },
  { table: 'publish_previews', key: 'id', lead: null, columns: ['approved_by', 'approval_note'] },
  { table: 'saved_filters', key: 'id', lead: null, columns: ['name', 'filter_json'] },
  { table: 'audit_log', key: 'id', lead: null, columns: ['summary', 'subject_id'] },
]

/** Texts that the business publishes or sets: the screen lists them, and people edit them. */
export const CONTENT_TABLES: readonly PersonalTable[] = [
  { table: 'content_entries', key: 'id', lead: null, columns: ['title', 'body', 'data_json'] },
  { table: 'taxonomy_terms', key: 'id', lead: null, columns: ['name', 'description'] },
  { table: 'forms', key: 'id', lead: null, columns: ['name', 'description', 'settings_json'] },
]
