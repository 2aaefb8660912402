import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/schema.ts'
import { jsonColumn } from '../../lib/json-column.ts'

const slugsColumn = jsonColumn(z.array(z.string()))

/** A place or a service with all the names and slugs that it has or had. */
export interface Named {
  kind: 'place' | 'service'
  name: string
  slugs: string[]
  formerNames: string[]
}

/** Every place. */
export async function listPlaceNames(db: Db): Promise<Named[]> {
  return toNamed(await selectPlaces(db).execute())
}

/** The places and services with these slugs, today or before. */
export async function listNamed(
  db: Db,
  { places, services }: { places: readonly string[]; services: readonly string[] },
): Promise<Named[]> {
  if (places.length + services.length === 0) return []
  // PostgreSQL takes no empty list.
  const found = await selectPlaces(db)
    .where('term.slug', 'in', ['', ...places])
    .unionAll(selectServices(db).where('entry.slug', 'in', ['', ...services]))
    .execute()
  const known = new Set(found.map(({ kind, slug }) => `${kind} ${slug}`))
  const isKnown =
    places.every((slug) => known.has(`place ${slug}`)) &&
    services.every((slug) => known.has(`service ${slug}`))
  return [...(isKnown ? [] : await listRenamed(db)), ...toNamed(found)]
}

/** Lists places and services whose name or slug changed since older submissions were indexed. */
export async function listRenamed(db: Db): Promise<Named[]> {
  const rows = await selectPlaces(db)
    .where((eb) => eb.or([eb('term.former_slugs_json', 'is not', null), eb('former.id', 'is not', null)]))
    .unionAll(selectServices(db).where('former.id', 'is not', null))
    .execute()
  return toNamed(rows)
}

// A row for each former name, or one without.
function selectPlaces(db: Db) {
  return db
    .selectFrom('taxonomy_terms as term')
    .innerJoin('taxonomies', 'taxonomies.id', 'term.taxonomy_id')
    .leftJoin('former_names as former', 'former.term_id', 'term.id')
    .select([sql<Named['kind']>`'place'`.as('kind'), 'term.id', 'term.slug', 'term.name'])
    .select(['term.former_slugs_json', 'former.slug as former_slug', 'former.name as former_name'])
    .where('taxonomies.slug', '=', 'locations')
}

function selectServices(db: Db) {
  return db
    .selectFrom('content_entries as entry')
    .innerJoin('content_types', 'content_types.id', 'entry.type_id')
    .leftJoin('former_names as former', 'former.entry_id', 'entry.id')
    .select([sql<Named['kind']>`'service'`.as('kind'), 'entry.id', 'entry.slug', 'entry.title as name'])
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
    const { kind, slug, name, former_slugs_json: json } = first
    const formerSlugs = [...(json ? slugsColumn.decode(json) : []), ...group.map((row) => row.former_slug)]
    const formerNames = group.map((row) => row.former_name)
    return [
      { kind, name, slugs: [...new Set([slug, ...texts(formerSlugs)])], formerNames: texts(formerNames) },
    ]
  })
}

function texts(values: readonly (string | null)[]): string[] {
  return values.filter((value) => value !== null)
}
