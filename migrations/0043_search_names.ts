import { type Kysely, sql } from 'kysely'
import { type Engine, engineOf, idType, referenceType, tableOptions } from '../src/db/dialects.ts'

/**
 * Lets the inbox search find leads by the names of places and services, former ones included, and by notes. The
 * submissions that are in the index already are indexed again, beside the work of the server.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await createFormerNames(db, engine)
  await createQueue(db, engine)
  await (engine === 'sqlite' ? createSqliteTriggers(db) : createPostgresTriggers(db))
}

async function createFormerNames(db: Kysely<unknown>, engine: Engine) {
  await sql`create table if not exists former_names (
    id ${idType(engine)},
    term_id ${referenceType(engine)} references taxonomy_terms (id) on delete cascade,
    entry_id ${referenceType(engine)} references content_entries (id) on delete cascade,
    slug text not null,
    name text not null,
    check ((term_id is null) <> (entry_id is null)),
    unique (term_id, slug, name),
    unique (entry_id, slug, name)
  ) ${tableOptions(engine)}`.execute(db)
}

// Without references: what is gone when its turn comes is passed over.
async function createQueue(db: Kysely<unknown>, engine: Engine) {
  await sql`create table if not exists submission_search_pending (
    submission_id ${referenceType(engine)} primary key
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create table if not exists submission_search_rebuild (
    next_id ${referenceType(engine)} not null
  ) ${tableOptions(engine)}`.execute(db)
  await sql`insert into submission_search_rebuild (next_id)
    select max(id) from form_submissions
    where not exists (select 1 from submission_search_rebuild) having max(id) is not null`.execute(db)
}

// Conditions instead of `or ignore`, which the statement that fires a trigger may override.
async function createSqliteTriggers(db: Kysely<unknown>) {
  await sql`create trigger if not exists taxonomy_terms_renamed after update of slug, name on taxonomy_terms
    when old.slug <> new.slug or old.name <> new.name begin
      insert into former_names (term_id, slug, name) select old.id, old.slug, old.name where not exists (
        select 1 from former_names where term_id = old.id and slug = old.slug and name = old.name);
    end`.execute(db)
  await sql`create trigger if not exists services_renamed after update of slug, title on content_entries
    when (old.slug <> new.slug or old.title <> new.title)
      and old.type_id = (select id from content_types where slug = 'services') begin
      insert into former_names (entry_id, slug, name) select old.id, old.slug, old.title where not exists (
        select 1 from former_names where entry_id = old.id and slug = old.slug and name = old.title);
    end`.execute(db)
  for (const [event, row] of [
    ['insert', 'new'],
    ['update', 'new'],
    ['delete', 'old'],
  ] as const) {
    const id = sql.ref(`${row}.submission_id`)
    await sql`create trigger if not exists ${sql.ref(`submission_notes_${event}`)}
      after ${sql.raw(event)} on submission_notes begin
      insert into submission_search_pending (submission_id) select ${id} where not exists (
        select 1 from submission_search_pending where submission_id = ${id});
    end`.execute(db)
  }
}

async function createPostgresTriggers(db: Kysely<unknown>) {
  await sql`create or replace function keep_former_term_name() returns trigger language plpgsql as $$ begin
    insert into former_names (term_id, slug, name) values (old.id, old.slug, old.name) on conflict do nothing;
    return null;
  end $$`.execute(db)
  await sql`create or replace trigger taxonomy_terms_renamed after update of slug, name on taxonomy_terms
    for each row when (old.slug <> new.slug or old.name <> new.name)
    execute function keep_former_term_name()`.execute(db)
  await sql`create or replace function keep_former_service_name() returns trigger language plpgsql as $$ begin
    insert into former_names (entry_id, slug, name)
    select old.id, old.slug, old.title from content_types where id = old.type_id and slug = 'services'
    on conflict do nothing;
    return null;
  end $$`.execute(db)
  await sql`create or replace trigger services_renamed after update of slug, title on content_entries
    for each row when (old.slug <> new.slug or old.title <> new.title)
    execute function keep_former_service_name()`.execute(db)
  await sql`create or replace function index_notes_again() returns trigger language plpgsql as $$ begin
    insert into submission_search_pending (submission_id)
    values (case when tg_op = 'DELETE' then old.submission_id else new.submission_id end)
    on conflict do nothing;
    return null;
  end $$`.execute(db)
  await sql`create or replace trigger submission_notes_changed after insert or update or delete on submission_notes
    for each row execute function index_notes_again()`.execute(db)
}
