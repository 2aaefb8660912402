import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

export interface EntryWithForm {
  title: string
  slug: string
  typeSlug: string
  routePattern: string | null
  /** Number of a service's published location pages, which show its form too. */
  places: number
}

/** Lists the published entries with pages that show this form. Services without a form show the default form. */
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

/**
 * Lists the texts and fields of entries that contain one of these texts. Generated entries without content of their
 * own are left out.
 */
export async function listEntryTextsWith(db: Db, texts: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('content_entries')
    .select(['body', 'data_json'])
    // Filtering by type uses the index of entries by kind, which leaves out generated ones.
    .where('type_id', 'in', (eb) => eb.selectFrom('content_types').select('id'))
    .where('is_generated', '=', 0)
    .where((eb) =>
      eb.or(texts.flatMap((text) => [eb('body', 'like', `%${text}%`), eb('data_json', 'like', `%${text}%`)])),
    )
    .execute()
  return rows.flatMap((row) => [row.body, row.data_json])
}

/** Returns whether a content file defines what is at that path. */
export async function hasContentFile(db: Db, path: string): Promise<boolean> {
  const row = await db.selectFrom('content_files').select('path').where('path', '=', path).executeTakeFirst()
  return row !== undefined
}
