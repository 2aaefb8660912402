import type { Generated, Kysely, Transaction } from 'kysely'

/** Either the database or a transaction in it: what every store function takes first. */
export type Db = Kysely<Schema> | Transaction<Schema>

/** The tables as Kysely sees them. Date-times are UTC text, booleans 0 or 1, `_json` columns JSON text (§2). */
export interface Schema {
  admin_users: AdminUsersTable
  content_types: ContentTypesTable
  content_entries: ContentEntriesTable
  forms: FormsTable
  form_fields: FormFieldsTable
  form_webhooks: FormWebhooksTable
  form_submissions: FormSubmissionsTable
  webhook_deliveries: WebhookDeliveriesTable
  delivery_attempts: DeliveryAttemptsTable
  taxonomies: TaxonomiesTable
  taxonomy_terms: TaxonomyTermsTable
  entry_taxonomy_terms: EntryTaxonomyTermsTable
  settings: SettingsTable
  content_files: ContentFilesTable
}

type Bool = 0 | 1

interface AdminUsersTable {
  id: Generated<number>
  email: string
  password_hash: string | null
  created_at: Generated<string>
}

interface ContentTypesTable {
  id: Generated<number>
  slug: string
  name: string
  description: string | null
  is_routable: Generated<Bool>
  route_pattern: string | null
  detail_partial: string | null
  schema_json: string
  is_builtin: Generated<Bool>
  sort_order: Generated<number>
  created_at: Generated<string>
}

interface ContentEntriesTable {
  id: Generated<number>
  type_id: number
  slug: string
  title: string
  status: Generated<'draft' | 'published'>
  body: Generated<string>
  data_json: Generated<string>
  /** 1 when the entry exists because a service is offered in a place, with nothing of its own. */
  is_generated: Generated<Bool>
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface FormsTable {
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
}

interface FormFieldsTable {
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

interface FormWebhooksTable {
  id: Generated<number>
  form_id: number
  name: Generated<string>
  url: string
  method: Generated<string>
  headers_json: string | null
  payload_template_json: string | null
  fire_on_json: string | null
  /** Ciphertext bound to this row and column; see src/lib/secret-box.ts. */
  signing_secret: string | null
  max_retries: Generated<number>
  enabled: Generated<Bool>
  created_at: Generated<string>
}

interface FormSubmissionsTable {
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
  location_slug: string | null
  /** The location's slugs from the root, joined by `/`, as the page had them. */
  location_path: string | null
  location_name: string | null
}

export type DeliveryStatus = 'pending' | 'delivering' | 'delivered' | 'failed' | 'skipped' | 'cancelled'

interface WebhookDeliveriesTable {
  id: Generated<number>
  submission_id: number
  status: Generated<DeliveryStatus>
  created_at: Generated<string>
  form_id: number | null
  webhook_id: number | null
  /** Sent as `webhook-id`; the same for every attempt. */
  message_id: string | null
  attempt_count: Generated<number>
  /** When the next attempt is due; null when none is. */
  next_attempt_at: string | null
  /** While `delivering`: after this moment the claim is void and somebody else may take the work up. */
  lease_expires_at: string | null
  /** The exact body of the first attempt, sent again by every retry. */
  request_body: string | null
  /** Why it was skipped, failed or cancelled, in one sentence. */
  outcome_reason: string | null
  finished_at: string | null
}

interface DeliveryAttemptsTable {
  id: Generated<number>
  delivery_id: number
  attempt_number: number
  started_at: string
  duration_ms: number
  request_url: string
  response_status: number | null
  response_headers_json: string | null
  response_body: string | null
  failure_kind: string | null
  failure_message: string | null
}

interface TaxonomiesTable {
  id: Generated<number>
  slug: string
  name: string
  description: string | null
  is_hierarchical: Generated<Bool>
  applies_to_type_ids_json: string | null
  is_builtin: Generated<Bool>
  sort_order: Generated<number>
  created_at: Generated<string>
  has_archive: Generated<Bool>
}

interface TaxonomyTermsTable {
  id: Generated<number>
  taxonomy_id: number
  parent_id: number | null
  slug: string
  name: string
  description: string | null
  position: Generated<number>
  created_at: Generated<string>
}

interface EntryTaxonomyTermsTable {
  entry_id: number
  term_id: number
  type_id: number
}

interface SettingsTable {
  key: string
  value_json: string
  updated_at: Generated<string>
}

/** What each content file said when it and its row were last equal: the base of the three-way rule (contract §3). */
interface ContentFilesTable {
  path: string
  document_json: string
  row_sha256: string
  synced_at: Generated<string>
}
