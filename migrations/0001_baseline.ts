import { type Kysely, sql } from 'kysely'
import { engineOf, idType, nowAsText, referenceType, tableOptions } from '../src/db/dialects.ts'

/** What the document presupposes (§2.10): administrators, content types and entries, the first form's submissions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAdminUsers(db)
  await createContentTypes(db)
  await createContentEntries(db)
  await createLegacySubmissions(db)
  await createDeliveries(db)
  await seedContentTypes(db)
}

async function createAdminUsers(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table admin_users (
    id ${idType(engine)},
    email text not null unique,
    password_hash text,
    created_at text not null default ${nowAsText(engine)}
  ) ${tableOptions(engine)}`.execute(db)
}

async function createContentTypes(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table content_types (
    id ${idType(engine)},
    slug text not null unique,
    name text not null,
    description text,
    is_routable integer not null default 0 check (is_routable in (0, 1)),
    route_pattern text,
    detail_partial text,
    schema_json text not null default '{"fields":[]}',
    is_builtin integer not null default 0 check (is_builtin in (0, 1)),
    sort_order integer not null default 100,
    created_at text not null default ${nowAsText(engine)}
  ) ${tableOptions(engine)}`.execute(db)
}

async function createContentEntries(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table content_entries (
    id ${idType(engine)},
    type_id ${referenceType(engine)} not null references content_types (id) on delete cascade,
    slug text not null,
    title text not null,
    status text not null default 'draft' check (status in ('draft', 'published')),
    body text not null default '',
    data_json text not null default '{}',
    created_at text not null default ${nowAsText(engine)},
    updated_at text not null default ${nowAsText(engine)},
    unique (type_id, slug)
  ) ${tableOptions(engine)}`.execute(db)
}

async function createLegacySubmissions(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table form_submissions (
    id ${idType(engine)},
    full_name text,
    email text,
    phone text,
    role text,
    clients_managed text,
    bottleneck text,
    submitted_at text not null default ${nowAsText(engine)}
  ) ${tableOptions(engine)}`.execute(db)
}

async function createDeliveries(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table webhook_deliveries (
    id ${idType(engine)},
    submission_id ${referenceType(engine)} not null references form_submissions (id) on delete cascade,
    status text not null default 'pending'
      check (status in ('pending', 'delivering', 'delivered', 'failed', 'skipped', 'cancelled')),
    created_at text not null default ${nowAsText(engine)}
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index webhook_deliveries_submission on webhook_deliveries (submission_id)`.execute(db)
}

async function seedContentTypes(db: Kysely<unknown>) {
  for (const type of CONTENT_TYPES) {
    await sql`insert into content_types (slug, name, is_routable, route_pattern, detail_partial, schema_json, is_builtin, sort_order)
      values (${type.slug}, ${type.name}, ${type.route_pattern ? 1 : 0}, ${type.route_pattern}, ${type.detail_partial},
        ${JSON.stringify({ fields: type.fields })}, 1, ${type.sort_order})
      on conflict (slug) do nothing`.execute(db)
  }
}

const CONTENT_TYPES = [
  {
    slug: 'pages',
    name: 'Pages',
    route_pattern: '/{slug}',
    detail_partial: 'page_detail',
    sort_order: 10,
    fields: [
      { key: 'summary', label: 'Summary', type: 'textarea' },
      { key: 'form', label: 'Form', type: 'text' },
    ],
  },
  {
    slug: 'testimonials',
    name: 'Testimonials',
    route_pattern: null,
    detail_partial: null,
    sort_order: 20,
    fields: [
      { key: 'author', label: 'Author', type: 'text', required: true },
      { key: 'place', label: 'Place', type: 'text' },
      { key: 'service', label: 'Service', type: 'text' },
    ],
  },
  {
    slug: 'services',
    name: 'Services',
    route_pattern: '/services/{slug}',
    detail_partial: 'service_detail',
    sort_order: 30,
    fields: [
      { key: 'summary', label: 'Summary', type: 'textarea' },
      { key: 'form', label: 'Form', type: 'text' },
      { key: 'icon', label: 'Icon', type: 'text' },
      { key: 'price_from', label: 'Price from', type: 'text' },
      { key: 'duration', label: 'Duration', type: 'text' },
      { key: 'includes', label: 'What is included', type: 'list' },
      {
        key: 'steps',
        label: 'Steps',
        type: 'list',
        fields: [
          { key: 'title', label: 'Title', type: 'text', required: true },
          { key: 'text', label: 'Text', type: 'textarea', required: true },
        ],
      },
      {
        key: 'faq',
        label: 'Questions and answers',
        type: 'list',
        fields: [
          { key: 'question', label: 'Question', type: 'text', required: true },
          { key: 'answer', label: 'Answer', type: 'textarea', required: true },
        ],
      },
      { key: 'offered_in', label: 'Offered in', type: 'list' },
    ],
  },
]
