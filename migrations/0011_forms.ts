import { type Kysely, sql } from 'kysely'
import { engineOf, idType, jsonObjectOf, nowAsText, referenceType, tableOptions } from '../src/db/dialects.ts'

/**
 * Revision 0011 of the document: forms, fields, webhooks (§2.1–2.3) and the columns on submissions and deliveries
 * (§2.4, §2.5). Legacy submissions become answers of form 1; their columns stay as they are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createForms(db)
  await createFields(db)
  await createWebhooks(db)
  await seedWaitlist(db)
  await extendSubmissions(db)
  await extendDeliveries(db)
}

async function createForms(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table forms (
    id ${idType(engine)},
    slug text not null unique,
    name text not null,
    description text,
    status text not null default 'active' check (status in ('active', 'draft', 'archived')),
    settings_json text,
    is_builtin integer not null default 0 check (is_builtin in (0, 1)),
    created_at text not null default ${nowAsText(engine)},
    updated_at text not null default ${nowAsText(engine)},
    updated_by ${referenceType(engine)} references admin_users (id) on delete set null
  ) ${tableOptions(engine)}`.execute(db)
}

async function createFields(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table form_fields (
    id ${idType(engine)},
    form_id ${referenceType(engine)} not null references forms (id) on delete cascade,
    position integer not null default 0,
    type text not null default 'text' check (type in ('text', 'email', 'phone', 'textarea', 'select', 'radio',
      'checkbox', 'file', 'hidden', 'url', 'number', 'date')),
    name text not null,
    label text not null,
    placeholder text,
    default_value text,
    required integer not null default 0 check (required in (0, 1)),
    options_json text,
    validation_json text,
    help_text text,
    unique (form_id, name)
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index form_fields_form on form_fields (form_id)`.execute(db)
}

async function createWebhooks(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table form_webhooks (
    id ${idType(engine)},
    form_id ${referenceType(engine)} not null references forms (id) on delete cascade,
    name text not null default 'Webhook',
    url text not null,
    method text not null default 'POST',
    headers_json text,
    payload_template_json text,
    fire_on_json text,
    signing_secret text,
    max_retries integer not null default 6,
    enabled integer not null default 1 check (enabled in (0, 1)),
    created_at text not null default ${nowAsText(engine)}
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index form_webhooks_form on form_webhooks (form_id)`.execute(db)
}

async function seedWaitlist(db: Kysely<unknown>) {
  await sql`insert into forms (slug, name, description, settings_json, is_builtin)
    values ('waitlist', 'Waitlist', 'Public sign-up form', ${JSON.stringify(WAITLIST_SETTINGS)}, 1)
    on conflict (slug) do nothing`.execute(db)
  for (const [position, [name, label, type, required, maxLength]] of WAITLIST_FIELDS.entries()) {
    await sql`insert into form_fields (form_id, position, type, name, label, required, validation_json)
      select id, ${position}, ${type}, ${name}, ${label}, ${required}, ${JSON.stringify({ max_length: maxLength })}
      from forms where slug = 'waitlist'
      on conflict (form_id, name) do nothing`.execute(db)
  }
}

const WAITLIST_SETTINGS = {
  success_heading: 'You are on the list',
  success_body: 'Thank you. We will write to you as soon as there is a place.',
  redirect_url: null,
  notification_email: null,
  retention_days: null,
  honeypot: 'website',
}

const WAITLIST_FIELDS = [
  ['full_name', 'Full name', 'text', 1, 100],
  ['email', 'Email', 'email', 1, 150],
  ['phone', 'Phone', 'phone', 1, 40],
  ['role', 'Role', 'text', 1, 80],
  ['clients_managed', 'Clients managed', 'text', 0, 80],
  ['bottleneck', 'Biggest bottleneck', 'textarea', 0, 1000],
] as const

async function extendSubmissions(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`alter table form_submissions add column form_id ${referenceType(engine)} references forms (id) on delete set null`.execute(
    db,
  )
  await sql`alter table form_submissions add column data_json text not null default '{}'`.execute(db)
  await sql`update form_submissions set form_id = (select id from forms where slug = 'waitlist')`.execute(db)
  const answers = jsonObjectOf(
    engine,
    WAITLIST_FIELDS.map(([name]) => name),
  )
  await sql`update form_submissions set data_json = ${answers}
    where form_id = (select id from forms where slug = 'waitlist') and (data_json is null or data_json in ('', '{}'))`.execute(
    db,
  )
  await sql`create index form_submissions_form_submitted on form_submissions (form_id, submitted_at)`.execute(
    db,
  )
}

async function extendDeliveries(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`alter table webhook_deliveries add column form_id ${referenceType(engine)} references forms (id) on delete set null`.execute(
    db,
  )
  await sql`alter table webhook_deliveries add column webhook_id ${referenceType(engine)} references form_webhooks (id) on delete set null`.execute(
    db,
  )
  await sql`create index webhook_deliveries_form_webhook on webhook_deliveries (form_id, webhook_id)`.execute(
    db,
  )
}
