import { z } from 'zod'
import type { Db } from '../db/schema.ts'
import { jsonColumn } from '../lib/json-column.ts'
import type { Subject } from '../templates/reference.ts'
import { type Renamed, type Slugs, slugsOfConditions, slugsOfLeads } from './condition-slugs.ts'
import type { Condition } from './conditions.ts'

const slugsColumn = jsonColumn(z.array(z.string()))

/** Later than every time in UTC text. */
const ANY_TIME = '9999'

/** Finds what conditions and leads call by a former slug. */
export async function findRenamed(
  db: Db,
  conditions: readonly (Condition | null)[],
  metas: readonly Subject['meta'][] = [],
): Promise<Renamed> {
  const [ofRules, ofLeads] = [slugsOfConditions(conditions), slugsOfLeads(metas)]
  const places = withLeads(ofRules.places, ofLeads.places)
  return findRenamedAmong(db, { places, services: withLeads(ofRules.services, ofLeads.services) })
}

/**
 * Finds the former slugs among these. With `at` (UTC text), slugs of places and services added later count as former
 * ones, too, if something else had them.
 */
export async function findRenamedAmong(db: Db, slugs: Slugs, at?: string): Promise<Renamed> {
  return {
    places: (await resolvePlaces(db, slugs.places, at)).renamed,
    services: (await resolveServices(db, slugs.services, at)).renamed,
  }
}

/** Lists the slugs of conditions that no place or service has or had. */
export async function listUnknownSlugs(db: Db, conditions: readonly (Condition | null)[]): Promise<Slugs> {
  const { places, services } = slugsOfConditions(conditions)
  return {
    places: (await resolvePlaces(db, places)).unknown,
    services: (await resolveServices(db, services)).unknown,
  }
}

interface Resolved {
  renamed: Map<string, string>
  unknown: string[]
}

// Leads matter only where rules name something.
function withLeads(named: readonly string[], ofLeads: readonly string[]): string[] {
  return named.length === 0 ? [] : [...new Set([...named, ...ofLeads])]
}

async function resolvePlaces(db: Db, slugs: readonly string[], at = ANY_TIME): Promise<Resolved> {
  const places = db
    .selectFrom('taxonomy_terms as term')
    .innerJoin('taxonomies', 'taxonomies.id', 'term.taxonomy_id')
    .where('taxonomies.slug', '=', 'locations')
  return resolve(slugs, {
    async listHeld(some) {
      const held = places.select('term.slug').where('term.slug', 'in', some)
      return (await held.where('term.created_at', '<=', at).execute()).map(({ slug }) => slug)
    },
    listFormer: (some) =>
      places
        .innerJoin('former_names as former', 'former.term_id', 'term.id')
        .select(['former.slug as before', 'term.slug'])
        .where('former.slug', 'in', some)
        .orderBy('former.id')
        .execute(),
    // Those that content files name.
    async listNamed() {
      const rows = await places
        .select(['term.slug', 'term.former_slugs_json'])
        .where('term.former_slugs_json', 'is not', null)
        .execute()
      return rows.flatMap(({ slug, former_slugs_json: json }) =>
        slugsColumn.decode(json ?? '[]').map((before) => ({ before, slug })),
      )
    },
  })
}

async function resolveServices(db: Db, slugs: readonly string[], at = ANY_TIME): Promise<Resolved> {
  const services = db
    .selectFrom('content_entries as entry')
    .innerJoin('content_types', 'content_types.id', 'entry.type_id')
    .where('content_types.slug', '=', 'services')
  return resolve(slugs, {
    async listHeld(some) {
      const held = services.select('entry.slug').where('entry.slug', 'in', some)
      return (await held.where('entry.created_at', '<=', at).execute()).map(({ slug }) => slug)
    },
    listFormer: (some) =>
      services
        .innerJoin('former_names as former', 'former.entry_id', 'entry.id')
        .select(['former.slug as before', 'entry.slug'])
        .where('former.slug', 'in', some)
        .orderBy('former.id')
        .execute(),
    listNamed: async () => [],
  })
}

type Renaming = { before: string; slug: string }

interface Source {
  listHeld: (slugs: readonly string[]) => Promise<string[]>
  listFormer: (slugs: readonly string[]) => Promise<Renaming[]>
  listNamed: () => Promise<Renaming[]>
}

// Nearly always everything is called by the slug that it has: one look at an index.
async function resolve(slugs: readonly string[], source: Source): Promise<Resolved> {
  if (slugs.length === 0) return { renamed: new Map(), unknown: [] }
  const held = new Set(await source.listHeld(slugs))
  const others = slugs.filter((slug) => !held.has(slug))
  const renamed = new Map<string, string>()
  for (const list of [source.listFormer, source.listNamed]) {
    const left = others.filter((slug) => !renamed.has(slug))
    if (left.length === 0) break
    for (const { before, slug } of await list(left)) if (left.includes(before)) renamed.set(before, slug)
  }
  return { renamed, unknown: others.filter((slug) => !renamed.has(slug)) }
}
