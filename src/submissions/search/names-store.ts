import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/schema.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import { jsonColumn } from '../../lib/json-column.ts'

const slugsColumn = jsonColumn(z.array(z.string()))

/** A place or service with all current and former names and slugs. */
export interface Named {
  kind: 'place' | 'service'
  id: number
  name: string
  /** The current slug comes first. */
  slugs: string[]
  formerNames: string[]
  /** Slug and name that it had at the same time. */
  former: { slug: string; name: string }[]
  /** UTC text. */
  createdAt: string
}

/** Lists all places. */
export async function listPlaceNames(db: Db): Promise<Named[]> {
  return toNamed(await selectPlaces(db).execute())
}

/** Lists all services. */
export async function listServiceNames(db: Db): Promise<Named[]> {
  return toNamed(await selectServices(db).execute())
}

/** Lists the first services by name, for selection. */
export async function listServicesByTitle(db: Db, { limit }: { limit: number }): Promise<Called[]> {
  return db
    .selectFrom('content_entries as entry')
    .innerJoin('content_types', 'content_types.id', 'entry.type_id')
    .select(['entry.id', 'entry.slug', 'entry.title as name'])
    .where('content_types.slug', '=', 'services')
    .orderBy('entry.title')
    .limit(limit)
    .execute()
}

/** Lists the places and services that have these slugs now, and all that were renamed. */
export async function listNamed(
  db: Db,
  { places, services }: { places: readonly string[]; services: readonly string[] },
): Promise<Named[]> {
  // PostgreSQL doesn't accept an empty list.
  const found = await selectPlaces(db)
    .where('term.slug', 'in', ['', ...places])
    .unionAll(selectServices(db).where('entry.slug', 'in', ['', ...services]))
    .execute()
  const named = [...(await listRenamed(db)), ...toNamed(found)]
  return [...new Map(named.map((one) => [`${one.kind} ${one.id}`, one])).values()]
}

/** Current names of a place or service. */
export interface Called {
  id: number
  slug: string
  name: string
}

/** Places and services by ID. Deleted ones are missing. */
interface CalledById {
  /** Each place with its ancestors, itself first. */
  lines: Map<number, Called[]>
  services: Map<number, Called>
}

/** Finds the current names of these places and services; in one query for up to 500 of each. */
export async function listCalled(
  db: Db,
  { places = [], services = [] }: { places?: readonly number[]; services?: readonly number[] },
): Promise<CalledById> {
  const called: CalledById = { lines: new Map(), services: new Map() }
  const [placeChunks, serviceChunks] = [[...chunksOf(places)], [...chunksOf(services)]]
  const chunks = placeChunks.length > serviceChunks.length ? placeChunks : serviceChunks
  for (const index of chunks.keys()) {
    const { rows } = await selectCalled(placeChunks[index], serviceChunks[index]).execute(db)
    for (const { kind, start, ...one } of rows)
      if (kind === 'service') called.services.set(one.id, one)
      else called.lines.set(start, [...(called.lines.get(start) ?? []), one])
  }
  return called
}

// PostgreSQL doesn't accept an empty list.
function selectCalled(places: readonly number[] = [], services: readonly number[] = []) {
  return sql<Called & { kind: Named['kind']; start: number }>`
    with recursive line (start, id, parent_id, slug, name, height) as (
      select id, id, parent_id, slug, name, 0 from taxonomy_terms where id in (${sql.join([0, ...places])})
      union select line.start, term.id, term.parent_id, term.slug, term.name, line.height + 1
      from taxonomy_terms term join line on term.id = line.parent_id
    )
    select kind, start, id, slug, name from (
      select 'place' as kind, start, id, slug, name, height from line
      union all select 'service', id, id, slug, title, 0 from content_entries
      where id in (${sql.join([0, ...services])})
    ) as called order by start, height`
}

/** Returns the names of these places by ID. Deleted ones are missing. */
export async function listNamesOfPlaces(
  db: Db,
  ids: readonly (number | null)[],
): Promise<Map<number, string>> {
  const known = [...new Set(ids.filter((id) => id !== null))]
  if (known.length === 0) return new Map()
  const rows = await db.selectFrom('taxonomy_terms').select(['id', 'name']).where('id', 'in', known).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Returns the places that have these slugs now, by slug. */
export async function listPlacesBySlug(db: Db, slugs: readonly string[]): Promise<Map<string, Called>> {
  if (slugs.length === 0) return new Map()
  const rows = await db
    .selectFrom('taxonomy_terms as term')
    .innerJoin('taxonomies', 'taxonomies.id', 'term.taxonomy_id')
    .select(['term.id', 'term.slug', 'term.name'])
    .where('taxonomies.slug', '=', 'locations')
    .where('term.slug', 'in', slugs)
    .execute()
  return new Map(rows.map((row) => [row.slug, row]))
}

/** Returns the names of these services by slug; unknown slugs are missing. */
export async function listServicesBySlug(db: Db, slugs: readonly string[]): Promise<Map<string, string>> {
  if (slugs.length === 0) return new Map()
  const rows = await db
    .selectFrom('content_entries as entry')
    .innerJoin('content_types', 'content_types.id', 'entry.type_id')
    .select(['entry.slug', 'entry.title'])
    .where('content_types.slug', '=', 'services')
    .where('entry.slug', 'in', slugs)
    .execute()
  return new Map(rows.map(({ slug, title }) => [slug, title]))
}

/** Lists all places, and what `listRenamed` lists; in one query. */
export async function listPlacesAndRenamed(db: Db): Promise<{ places: Named[]; renamed: Named[] }> {
  const rows = await selectPlaces(db)
    .unionAll(selectServices(db).where('former.id', 'is not', null))
    .execute()
  const named = toNamed(rows)
  return {
    places: named.filter(({ kind }) => kind === 'place'),
    renamed: named.filter(({ slugs, formerNames }) => slugs.length > 1 || formerNames.length > 0),
  }
}

/** Lists places and services whose name or slug has changed since older submissions were indexed. */
export async function listRenamed(db: Db): Promise<Named[]> {
  const rows = await selectPlaces(db)
    .where((eb) => eb.or([eb('term.former_slugs_json', 'is not', null), eb('former.id', 'is not', null)]))
    .unionAll(selectServices(db).where('former.id', 'is not', null))
    .execute()
  return toNamed(rows)
}

// One row per former name, or one without.
function selectPlaces(db: Db) {
  return db
    .selectFrom('taxonomy_terms as term')
    .innerJoin('taxonomies', 'taxonomies.id', 'term.taxonomy_id')
    .leftJoin('former_names as former', 'former.term_id', 'term.id')
    .select([sql<Named['kind']>`'place'`.as('kind'), 'term.id', 'term.slug', 'term.name'])
    .select('term.created_at')
    .select(['term.former_slugs_json', 'former.slug as former_slug', 'former.name as former_name'])
    .where('taxonomies.slug', '=', 'locations')
}

function selectServices(db: Db) {
  return db
    .selectFrom('content_entries as entry')
    .innerJoin('content_types', 'content_types.id', 'entry.type_id')
    .leftJoin('former_names as former', 'former.entry_id', 'entry.id')
    .select([sql<Named['kind']>`'service'`.as('kind'), 'entry.id', 'entry.slug', 'entry.title as name'])
    .select('entry.created_at')
    .select([
      sql<string | null>`null`.as('former_slugs_json'),
      'former.slug as former_slug',
      'former.name as former_name',
    ])
    .where('content_types.slug', '=', 'services')
}

type NamedRow = Awaited<ReturnType<ReturnType<typeof selectPlaces>['execute']>>[number]

function toNamed(rows: readonly NamedRow[]): Named[] {
  const groups = Map.groupBy(rows, ({ kind, id }) => `${kind} ${id}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { kind, id, slug, name, former_slugs_json: json, created_at: createdAt } = first
    const formerSlugs = [...(json ? slugsColumn.decode(json) : []), ...group.map((row) => row.former_slug)]
    const formerNames = texts(group.map((row) => row.former_name))
    const former = group.flatMap((row) =>
      row.former_slug === null || row.former_name === null
        ? []
        : { slug: row.former_slug, name: row.former_name },
    )
    const slugs = [...new Set([slug, ...texts(formerSlugs)])]
    return { kind, id, name, slugs, formerNames, former, createdAt }
  })
}

function texts(values: readonly (string | null)[]): string[] {
  return values.filter((value) => value !== null)
}
