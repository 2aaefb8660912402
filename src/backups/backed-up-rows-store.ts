import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'

/** Rows that name the files of a PostgreSQL backup. */
export interface BackedUpRows {
  /** Applied revisions; undefined if the database is not Signpost's. */
  revisions: { name: string; timestamp: string }[] | undefined
  /** Folders of visitors' files. */
  folders: string[]
  /** SHA-256 of the pictures of the library. */
  pictures: string[]
}

/** Reads the rows that belong to a dump of the same snapshot. */
export async function readBackedUpRows(db: Db): Promise<BackedUpRows> {
  const known = await sql<{
    is_there: boolean
  }>`select to_regclass('kysely_migration') is not null as is_there`.execute(db)
  if (!known.rows[0]?.is_there) return { revisions: undefined, folders: [], pictures: [] }
  const revisions = await sql<{ name: string; timestamp: string }>`
    select name, timestamp from kysely_migration order by name`.execute(db)
  const folders = await sql<{ folder: string }>`
    select distinct folder from uploads order by folder`.execute(db)
  const pictures = await sql<{ sha256: string }>`
    select sha256 from library_pictures union select sha256 from picture_versions
    union select sha256 from trashed_picture_files order by 1`.execute(db)
  return {
    revisions: revisions.rows,
    folders: folders.rows.map(({ folder }) => folder),
    pictures: pictures.rows.map(({ sha256 }) => sha256),
  }
}

/** Counts the tables, views, and sequences of a PostgreSQL database, without those of extensions. */
export async function countRelations(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
      and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(toast|temp)'
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`.execute(db)
  return rows[0]?.count ?? 0
}

/** The major version of the PostgreSQL server, such as 17. */
export async function findServerVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select current_setting('server_version_num')::integer / 10000 as version`.execute(db)
  return rows[0]?.version ?? 0
}
