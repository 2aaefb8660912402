import type { Kysely } from 'kysely'
import { syncContent } from '#src/content-files/syncing/sync-content.ts'
import type { Schema } from '#src/db/schema.ts'
import {
  deleteEntries,
  type Entry,
  type EntryValues,
  insertEntries,
  listEntries,
  replaceEntryTerms,
} from '#src/entries/entry-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { deleteTerms, findTaxonomy, insertTerms, listTerms } from '#src/taxonomies/taxonomy-store.ts'

const SERVICES = 20
const STATES = 20
const CITIES_PER_STATE = 20
// One in this many location services has its own texts, phone, and address.
const OVERRIDE_EVERY = 10
const CHUNK = 5_000
const SETTINGS = { quality_threshold: 0, share_pictures: 'service' } as const
const NOW = '2026-11-20T10:00:00.000Z'

/**
 * Fills an empty, migrated database: the example business with 20 services, each offered in every place of a
 * four-level tree, for a total of about `pages` pages. Every tenth is customized; all are in the sitemap.
 */
export async function fillDatabase(
  db: Kysely<Schema>,
  { pages, contentDir, dataDir }: { pages: number; contentDir: string; dataDir: string },
): Promise<void> {
  const secretBox = createSecretBox(Buffer.alloc(32))
  const options = {
    ...{ contentDir, environment: {}, secretBox, pictureFiles: openPictureFiles(dataDir) },
    ...{ now: new Date(NOW), progress: silentProgress },
  }
  const result = await syncContent(db, options)
  if (result.kind !== 'synced') throw new Error(`The example content could not be synced: ${result.kind}`)
  await saveSiteSettings(db, { ...(await findSiteSettings(db)), ...SETTINGS }, { now: NOW })
  const placeIds = await growTree(db, Math.max(1, Math.ceil(pages / SERVICES)))
  const services = await addServices(db)
  await linkTestimonials(db, placeIds)
  await offerEverywhere(db, services, placeIds)
}

// Country, 20 states, 20 cities in each, and the rest as areas in the cities.
async function growTree(db: Kysely<Schema>, count: number): Promise<[slug: string, id: number][]> {
  const taxonomy = await findTaxonomy(db, 'locations')
  if (!taxonomy) throw new Error('There is no taxonomy of locations')
  await deleteTerms(
    db,
    (await listTerms(db, taxonomy.id)).map(({ id }) => id),
  )
  const ids = new Map<string, number>()
  const add = async (places: { slug: string; name: string; parent: string | null }[]) => {
    const terms = places.slice(0, Math.max(0, count - ids.size)).map(({ parent, ...place }, position) => ({
      ...place,
      description: null,
      parentId: parent === null ? null : (ids.get(parent) ?? null),
      position,
    }))
    for (const [slug, id] of await insertTerms(db, taxonomy.id, terms)) ids.set(slug, id)
  }
  const numbers = (length: number) => Array.from({ length }, (_, number) => number)
  await add([{ slug: 'freedonia', name: 'Freedonia', parent: null }])
  await add(numbers(STATES).map((n) => ({ slug: `state-${n}`, name: `State ${n}`, parent: 'freedonia' })))
  const cities = numbers(STATES * CITIES_PER_STATE)
  await add(cities.map((n) => ({ slug: `city-${n}`, name: `City ${n}`, parent: `state-${n % STATES}` })))
  for (let from = 0; ids.size < count; from += CHUNK) {
    const areas = numbers(CHUNK).map((n) => from + n)
    await add(
      areas.map((n) => ({ slug: `area-${n}`, name: `Area ${n}`, parent: `city-${n % cities.length}` })),
    )
  }
  return [...ids]
}

async function addServices(db: Kysely<Schema>): Promise<Entry[]> {
  const type = await findContentType(db, 'services')
  if (!type) throw new Error('There is no content type of services')
  const examples = await listEntries(db, type.id)
  const more = Array.from({ length: SERVICES - examples.length }, (_, number) => {
    const example = examples[number % examples.length] as Entry
    return { ...example, slug: `${example.slug}-${number}`, title: `${example.title} ${number}` }
  })
  await insertEntries(db, type.id, more, { now: NOW })
  return listEntries(db, type.id)
}

async function linkTestimonials(db: Kysely<Schema>, placeIds: readonly [string, number][]) {
  const type = await findContentType(db, 'testimonials')
  if (!type) throw new Error('There is no content type of testimonials')
  const testimonials = await listEntries(db, type.id)
  const links = testimonials.map(({ id }, number) => {
    const [, placeId] = placeIds[Math.floor((number / testimonials.length) * placeIds.length)] ?? []
    return [id, placeId === undefined ? [] : [placeId]] as const
  })
  await replaceEntryTerms(db, type.id, new Map(links))
}

async function offerEverywhere(
  db: Kysely<Schema>,
  services: readonly Entry[],
  places: readonly [string, number][],
) {
  const type = await findContentType(db, 'location_services')
  if (!type) throw new Error('There is no content type of location services')
  await deleteEntries(
    db,
    (await listEntries(db, type.id)).map(({ id }) => id),
  )
  for (const service of services) {
    const entries = places.map(([slug, id], number) => locationService(service, slug, id, number))
    for (let from = 0; from < entries.length; from += CHUNK) {
      await db
        .transaction()
        .execute((trx) => insertEntries(trx, type.id, entries.slice(from, from + CHUNK), { now: NOW }))
    }
  }
}

function locationService(
  service: Entry,
  place: string,
  placeId: number,
  number: number,
): EntryValues & { slug: string } {
  const pair = { service_entry_id: service.id, location_term_id: placeId }
  const entry = { slug: `${service.slug}/${place}`, title: '', status: 'published' as const, body: '' }
  if (number % OVERRIDE_EVERY > 0) return { ...entry, data: pair, isGenerated: true }
  const own = {
    intro: `Our crew for ${place} starts from the yard on Mill Lane ${number} and knows its houses by heart.`,
    phone: `(512) 555-${String(number % 10_000).padStart(4, '0')}`,
    address: `${number} Mill Lane\nFreedonia`,
  }
  const body = `## What we see in ${place}\n\nHouses here were built between 1950 and 1990, most of them on slabs. Number ${number} of our list of places.`
  return { ...entry, body, data: { ...pair, ...own }, isGenerated: false }
}
