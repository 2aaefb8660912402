import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { type EntryValues, insertEntries } from '#src/entries/entry-store.ts'
import { findContentType, insertContentType } from '#src/entries/types/content-type-store.ts'
import type { SchemaField } from '#src/entries/types/schema-field.ts'
import { findTaxonomy, insertTerms } from '#src/taxonomies/taxonomy-store.ts'

const NOW = '2026-11-20T10:00:00.000Z'

/** Makes an entry's values, by default published and empty. */
function anEntry(values: Partial<EntryValues> & { slug: string }): EntryValues & { slug: string } {
  return { title: '', status: 'published', body: '', data: {}, isGenerated: false, ...values }
}

export async function addEntry(
  db: Kysely<Schema>,
  typeSlug: string,
  values: Partial<EntryValues> & { slug: string },
) {
  const type = await findContentType(db, typeSlug)
  if (!type) throw new Error(`no content type ${typeSlug}`)
  const ids = await insertEntries(db, type.id, [anEntry(values)], { now: NOW })
  return ids.get(values.slug) as number
}

/** Adds the routable type `projects`, at `/projects/<year>/<project>`, with these fields. */
export async function addProjects(db: Kysely<Schema>, ...fields: SchemaField[]): Promise<void> {
  await insertContentType(db, 'projects', {
    ...{ name: 'Projects', description: null, sortOrder: 50, fields },
    ...{ isRoutable: true, routePattern: '/projects/{year}/{project}', detailPartial: null },
  })
}

/** Adds a line of location terms, each below the previous one (`usa/texas/austin`); returns their IDs by slug. */
export async function addPlaces(db: Kysely<Schema>, ...lines: string[]): Promise<Map<string, number>> {
  const taxonomy = await findTaxonomy(db, 'locations')
  if (!taxonomy) throw new Error('no locations')
  const ids = new Map<string, number>()
  for (const line of lines) {
    let parentId: number | null = null
    for (const slug of line.split('/')) {
      const known = ids.get(slug)
      parentId = known ?? (await addTerm(db, taxonomy.id, slug, parentId, ids.size))
      ids.set(slug, parentId)
    }
  }
  return ids
}

async function addTerm(
  db: Kysely<Schema>,
  taxonomyId: number,
  slug: string,
  parentId: number | null,
  position: number,
) {
  const name = nameOf(slug)
  const ids = await insertTerms(db, taxonomyId, [{ slug, name, description: null, parentId, position }])
  return ids.get(slug) as number
}

/** Returns the name of a term that `addPlaces` adds: `New York` for `new-york`. */
export function nameOf(slug: string): string {
  return slug.replace(/(^|-)(.)/g, (_, gap, letter) => (gap && ' ') + letter.toUpperCase())
}

/** Offers a service in a place: the location service `<service>/<place>`. */
export async function offer(
  db: Kysely<Schema>,
  service: { slug: string; id: number },
  place: { slug: string; id: number },
  own: Partial<EntryValues> = {},
) {
  const data = { service_entry_id: service.id, location_term_id: place.id, ...own.data }
  return addEntry(db, 'location_services', { ...own, slug: `${service.slug}/${place.slug}`, data })
}
