import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

export interface EntryWithForm {
  title: string
  slug: string
  typeSlug: string
  routePattern: string | null
  /** The number of a service's published pages in places, which show its form too. */
  places: number
}

/** The published entries with pages that show this form; services that name none show the default. */
export async function listEntriesWithForm(
  db: Db,
  { slug, isDefault }: { slug: string; isDefault: boolean },
): Promise<EntryWithForm[]> {
  const names = sql`e.data_json like ${`%"form":${JSON.stringify(slug)}%`}`
  const namesNone = sql`t.slug = 'services' and e.data_json not like '%"form":"%'`
  const { rows } = await sql<EntryWithForm>`
    select e.title, e.slug, t.slug as "typeSlug", t.route_pattern as "routePattern",
      (select count(*) from content_entries p
        where t.slug = 'services' and p.service_entry_id = e.id and p.status = 'published') as places
    from content_types t cross join content_entries e
    where e.type_id = t.id and e.status = 'published' and t.is_routable = 1 and t.slug <> 'location_services'
      and (${names} ${isDefault ? sql`or (${namesNone})` : sql``})
    order by t.sort_order, e.title`.execute(db)
  return rows.map((row) => ({ ...row, places: Number(row.places) }))
}

/** Returns the start of the last finished publish; UTC text. */
export async function findLastPublish(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('publishes')
    .select(({ fn }) => fn.max('started_at').as('at'))
    .where('status', 'in', ['published', 'unchanged'])
    .executeTakeFirst()
  return row?.at ?? undefined
}

/** Texts and fields of the entries that have one of these texts somewhere; entries without anything of their own do not. */
export async function listEntryTextsWith(db: Db, texts: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('content_entries')
    .select(['body', 'data_json'])
    // The types lead to the index of entries by kind, which leaves out the generated ones.
    .where('type_id', 'in', (eb) => eb.selectFrom('content_types').select('id'))
    .where('is_generated', '=', 0)
    .where((eb) =>
      eb.or(texts.flatMap((text) => [eb('body', 'like', `%${text}%`), eb('data_json', 'like', `%${text}%`)])),
    )
    .execute()
  return rows.flatMap((row) => [row.body, row.data_json])
}

/** Returns whether a content file stands for what is at that path. */
export async function hasContentFile(db: Db, path: string): Promise<boolean> {
  const row = await db.selectFrom('content_files').select('path').where('path', '=', path).executeTakeFirst()
  return row !== undefined
}
