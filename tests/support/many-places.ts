import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { insertEntries } from '#src/entries/entry-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { findTaxonomy, insertTerms } from '#src/taxonomies/taxonomy-store.ts'

const NOW = '2026-11-20T10:00:00.000Z'
const CHUNK = 5_000

/** A place with the places in it; the caller decides how many services have a page there. */
export interface PlaceSeed {
  slug: string
  isOffered: boolean
  below: PlaceSeed[]
}

/** Makes this many places of one kind, with realistically long names. */
export function places(
  kind: string,
  count: number,
  seed: (number: number) => Partial<PlaceSeed> = () => ({}),
): PlaceSeed[] {
  return Array.from({ length: count }, (_, number) => ({
    ...{ slug: `${kind}-${number}`, isOffered: true, below: [] },
    ...seed(number),
  }))
}

/**
 * Fills a database with this many services, each offered in every place selected for it. Returns the number of
 * pairs.
 */
export async function offerManyPlaces(db: Kysely<Schema>, seeds: readonly PlaceSeed[], services: number) {
  const ids = new Map<string, number>()
  const taxonomy = await findTaxonomy(db, 'locations')
  if (!taxonomy) throw new Error('no locations')
  for (let level = seeds.map((seed) => ({ seed, parentId: null as number | null })); level.length > 0; ) {
    const rows = level.map(({ seed: { slug }, parentId }, position) => {
      const name = slug.replace(/(^|-)(.)/g, (_, gap, letter) => (gap && ' ') + letter.toUpperCase())
      return { slug, name, description: null, parentId, position }
    })
    for (let from = 0; from < rows.length; from += CHUNK)
      for (const [slug, id] of await insertTerms(db, taxonomy.id, rows.slice(from, from + CHUNK)))
        ids.set(slug, id)
    level = level.flatMap(({ seed }) =>
      seed.below.map((below) => ({ seed: below, parentId: ids.get(seed.slug) as number })),
    )
  }
  const serviceIds = await addServices(db, services)
  const offered = flatten(seeds).filter(({ isOffered }) => isOffered)
  const type = await findContentType(db, 'location_services')
  for (const [service, serviceId] of serviceIds) {
    const entries = offered.map(({ slug }) => ({
      ...{ slug: `${service}/${slug}`, title: '', body: '', status: 'published' as const, isGenerated: true },
      data: { service_entry_id: serviceId, location_term_id: ids.get(slug) as number },
    }))
    for (let from = 0; from < entries.length; from += CHUNK)
      await insertEntries(db, type?.id as number, entries.slice(from, from + CHUNK), { now: NOW })
  }
  return serviceIds.size * offered.length
}

async function addServices(db: Kysely<Schema>, count: number): Promise<Map<string, number>> {
  const type = await findContentType(db, 'services')
  const services = Array.from({ length: count }, (_, number) => ({
    ...{ slug: `water-heater-replacement-${number}`, title: `Water heater replacement ${number}` },
    ...{ status: 'published' as const, body: 'We replace **it**.\n\n'.repeat(20), isGenerated: false },
    data: {
      summary: 'Tank and tankless water heaters, replaced in one visit at a written price.',
      icon: 'heater',
    },
  }))
  return insertEntries(db, type?.id as number, services, { now: NOW })
}

function flatten(seeds: readonly PlaceSeed[]): PlaceSeed[] {
  return seeds.flatMap((seed) => [seed, ...flatten(seed.below)])
}
