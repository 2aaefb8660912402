import { type Kysely, sql } from 'kysely'
import { engineOf, idType, nowAsText, referenceType, tableOptions } from '../src/db/dialects.ts'

/** Revision 0010 of the document: taxonomies, their terms and links (§2.6–2.8), and location services (§2.9). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTaxonomies(db)
  await createTerms(db)
  await createEntryLinks(db)
  await seedTaxonomies(db)
  await seedLocationServices(db)
}

async function createTaxonomies(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table taxonomies (
    id ${idType(engine)},
    slug text not null unique,
    name text not null,
    description text,
    is_hierarchical integer not null default 0 check (is_hierarchical in (0, 1)),
    applies_to_type_ids_json text,
    is_builtin integer not null default 0 check (is_builtin in (0, 1)),
    sort_order integer not null default 100,
    created_at text not null default ${nowAsText(engine)}
  ) ${tableOptions(engine)}`.execute(db)
}

async function createTerms(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table taxonomy_terms (
    id ${idType(engine)},
    taxonomy_id ${referenceType(engine)} not null references taxonomies (id) on delete cascade,
    parent_id ${referenceType(engine)} references taxonomy_terms (id) on delete cascade,
    slug text not null,
    name text not null,
    description text,
    position integer not null default 0,
    created_at text not null default ${nowAsText(engine)},
    unique (taxonomy_id, slug)
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index taxonomy_terms_parent on taxonomy_terms (parent_id)`.execute(db)
  await sql`create index taxonomy_terms_taxonomy on taxonomy_terms (taxonomy_id)`.execute(db)
}

async function createEntryLinks(db: Kysely<unknown>) {
  const engine = engineOf(db)
  await sql`create table entry_taxonomy_terms (
    entry_id ${referenceType(engine)} not null references content_entries (id) on delete cascade,
    term_id ${referenceType(engine)} not null references taxonomy_terms (id) on delete cascade,
    type_id ${referenceType(engine)} not null,
    primary key (entry_id, term_id)
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index entry_taxonomy_terms_term on entry_taxonomy_terms (term_id)`.execute(db)
  await sql`create index entry_taxonomy_terms_type_term on entry_taxonomy_terms (type_id, term_id)`.execute(
    db,
  )
}

async function seedTaxonomies(db: Kysely<unknown>) {
  await sql`insert into taxonomies (slug, name, description, is_hierarchical, applies_to_type_ids_json, is_builtin, sort_order)
    values ('locations', 'Locations', 'Country, state, city, area', 1, null, 1, 10),
      ('service_categories', 'Service Categories', 'Industry, sub-niche', 1, null, 1, 20)
    on conflict (slug) do nothing`.execute(db)
}

async function seedLocationServices(db: Kysely<unknown>) {
  await sql`insert into content_types (slug, name, is_routable, route_pattern, detail_partial, schema_json, is_builtin, sort_order)
    values ('location_services', 'Location Services', 1, '/services/{service_slug}/{location_slug}',
      'location_service_detail', ${JSON.stringify(LOCATION_SERVICES_SCHEMA)}, 1, 40)
    on conflict (slug) do nothing`.execute(db)
}

const LOCATION_SERVICES_SCHEMA = {
  fields: [
    { key: 'service_entry_id', label: 'Service', type: 'number', required: true },
    { key: 'location_term_id', label: 'Location', type: 'number', required: true },
    { key: 'city', label: 'City', type: 'text' },
    { key: 'region', label: 'Region', type: 'text' },
    { key: 'intro', label: 'Intro', type: 'textarea' },
    { key: 'address', label: 'Address', type: 'textarea' },
    { key: 'phone', label: 'Phone', type: 'text' },
    { key: 'map_embed_url', label: 'Map embed URL', type: 'text' },
    { key: 'local_testimonials', label: 'Local testimonials', type: 'text' },
  ],
}
