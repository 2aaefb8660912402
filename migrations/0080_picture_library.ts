import { type Kysely, sql } from 'kysely'
import { engineOf, idType, nowAsText, referenceType, tableOptions } from '../src/db/dialects.ts'

const BATCH = 500

/**
 * The library of pictures. Their bytes are files of the picture store, by their hash; what came before keeps its bytes
 * in `pictures`, which the version before this one goes on to use.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table library_pictures (
    id ${idType(engine)},
    name text not null unique,
    sha256 text not null,
    width integer not null check (width > 0),
    height integer not null check (height > 0),
    size integer not null check (size >= 0),
    alt text,
    focal_json text,
    crop_json text,
    tags_json text not null default '[]',
    created_at text not null default ${nowAsText(engine)},
    updated_at text not null default ${nowAsText(engine)}
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index library_pictures_sha256 on library_pictures (sha256)`.execute(db)
  await sql`create index library_pictures_updated on library_pictures (updated_at, id)`.execute(db)
  await sql`create table picture_versions (
    id ${idType(engine)},
    picture_id ${referenceType(engine)} not null references library_pictures (id) on delete cascade,
    sha256 text not null,
    width integer not null check (width > 0),
    height integer not null check (height > 0),
    size integer not null check (size >= 0),
    crop_json text,
    replaced_at text not null
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index picture_versions_picture on picture_versions (picture_id)`.execute(db)
  await sql`create table picture_uses (
    entry_id ${referenceType(engine)} not null references content_entries (id) on delete cascade,
    name text not null,
    primary key (entry_id, name)
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index picture_uses_name on picture_uses (name)`.execute(db)
  await sql`insert into library_pictures (name, sha256, width, height, size, created_at, updated_at)
    select name, sha256, width, height, length(bytes), updated_at, updated_at from pictures order by name`.execute(
    db,
  )
  await noteUses(db)
  await logChanges(db)
}

const SHOWN = ['name', 'sha256', 'width', 'height', 'alt', 'focal_json', 'crop_json']

const EVENTS = [
  { event: 'insert', action: 'added', row: 'new' },
  { event: 'update', action: 'edited', row: 'new' },
  { event: 'delete', action: 'removed', row: 'old' },
] as const

// As the triggers of 0070: a publish asks for what was saved. A row that is saved as it was is no change.
async function logChanges(db: Kysely<unknown>) {
  const isSqlite = engineOf(db) === 'sqlite'
  const differs = isSqlite ? 'is not' : 'is distinct from'
  const changed = SHOWN.map((column) => `old.${column} ${differs} new.${column}`).join(' or ')
  for (const { event, action, row } of EVENTS) {
    const name = `library_pictures_log_${event}`
    const insert = `insert into content_changes (subject, subject_id, action)
      values ('picture', ${row}.name, '${action}');`
    const on = `after ${event} on library_pictures for each row ${event === 'update' ? `when (${changed})` : ''}`
    if (isSqlite) await sql.raw(`create trigger ${name} ${on} begin ${insert} end`).execute(db)
    else {
      await sql
        .raw(
          `create function ${name}() returns trigger language plpgsql as $$ begin ${insert} return null; end $$`,
        )
        .execute(db)
      await sql.raw(`create trigger ${name} ${on} execute function ${name}()`).execute(db)
    }
  }
}

interface Row {
  id: number
  body: string
  data_json: string
}

// As src/pictures/named-pictures.ts read entries when this was written.
async function noteUses(db: Kysely<unknown>) {
  const { rows: pictures } = await sql<{ name: string }>`select name from library_pictures`.execute(db)
  const names = new Set(pictures.map(({ name }) => name))
  for (let last = 0; names.size > 0; ) {
    const { rows } = await sql<Row>`select id, body, data_json from content_entries
      where id > ${last} and (body like '%![%' or body like '%<img%' or data_json like '%"picture"%')
      order by id limit ${BATCH}`.execute(db)
    const uses = rows.flatMap((row) => usesOf(row, names))
    for (const { id, name } of uses)
      await sql`insert into picture_uses (entry_id, name) values (${id}, ${name})`.execute(db)
    if (rows.length < BATCH) return
    last = rows.at(-1)?.id ?? last
  }
}

function usesOf({ id, body, data_json }: Row, names: ReadonlySet<string>) {
  const text = body.normalize('NFC')
  const { picture } = JSON.parse(data_json) as { picture?: unknown }
  return [...names]
    .filter((name) => picture === name || text.includes(name) || text.includes(encodeURI(name)))
    .map((name) => ({ id, name }))
}
