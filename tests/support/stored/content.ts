import type { App } from '#src/app.ts'
import type { Db } from '#src/db/schema.ts'
import { findContentType, insertContentType } from '#src/entries/types/content-type-store.ts'
import { addEntry, addPlaces, offer } from '../small-site.ts'

type Pair = [first: number, second: number]

/** A country with one state and two cities; their slugs start with the name. */
async function storePlaces({ db }: App, name: string) {
  const [country, state] = [`${name}-land`, `${name}-state`]
  const cities = [`${name}-city`, `${name}-town`]
  const ids = await addPlaces(db, ...cities.map((city) => `${country}/${state}/${city}`))
  const idOf = (slug: string) => ids.get(slug) as number
  const [first = '', second = ''] = cities
  return {
    ...{ country: { id: idOf(country), slug: country }, state: { id: idOf(state), slug: state } },
    city: { id: idOf(first), slug: first },
    town: { id: idOf(second), slug: second },
  }
}

export interface StoredService {
  id: number
  slug: string
  /** Its page in the city shows its texts; the one in the town has its own title and testimonial. */
  inCity: number
  inTown: number
  testimonialId: number
}

/** Two services with a testimonial each, offered in both cities of their own country. */
export async function storeServices(app: App, name: string) {
  const places = await storePlaces(app, name)
  const { city, town } = places
  async function add(slug: string): Promise<StoredService> {
    const { db } = app
    const offered_in = [city.slug, town.slug]
    const service = { slug, id: await addEntry(db, 'services', { slug, title: slug, data: { offered_in } }) }
    const testimonial = { slug: `${slug}-fan`, title: 'Ada', data: { service: slug } }
    const testimonialId = await addEntry(db, 'testimonials', testimonial)
    const inCity = await offer(db, service, city, { isGenerated: true })
    const data = { local_testimonials: String(testimonialId) }
    const inTown = await offer(db, service, town, { title: `${slug} in town`, data })
    return { ...service, inCity, inTown, testimonialId }
  }
  return { ...places, services: [await add(`${name}-ducts`), await add(`${name}-vents`)] as const }
}

/** Two pages with a schedule and a redirect each, and a taxonomy with two terms, both used by both pages. */
export async function storePages({ db }: App, name: string) {
  const add = (slug: string) =>
    addEntry(db, 'pages', {
      ...{ slug, title: `Title of ${slug}`, body: 'Who we are.', redirectFrom: [`/old/${slug}`] },
      publishAt: '2026-01-01T00:00:00.000Z',
      unpublishAt: '2099-01-01T00:00:00.000Z',
    })
  const pageIds: Pair = [await add(`${name}-about`), await add(`${name}-team`)]
  const { id: taxonomyId } = await db
    .insertInto('taxonomies')
    .values({ slug: `${name}-topics`, name: 'Topics', is_hierarchical: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const term = { taxonomy_id: taxonomyId, name: 'Cooling' }
  const terms = await db
    .insertInto('taxonomy_terms')
    .values([
      { ...term, slug: 'cooling', position: 0 },
      { ...term, slug: 'heating', position: 1 },
    ])
    .returning('id')
    .execute()
  const termIds = terms.map(({ id }) => id) as Pair
  const type = await findContentType(db, 'pages')
  const links = pageIds.flatMap((entry_id) =>
    termIds.map((term_id) => ({ entry_id, term_id, type_id: type?.id as number })),
  )
  await db.insertInto('entry_taxonomy_terms').values(links).execute()
  return {
    pageIds,
    slugs: [`${name}-about`, `${name}-team`],
    taxonomyId,
    taxonomy: `${name}-topics`,
    termIds,
  }
}

/** A content type with two entries. */
export async function storeContentType({ db }: App, name: string) {
  const slug = `${name}-cases`
  await insertContentType(db, slug, {
    ...{
      name: 'Cases',
      description: null,
      sortOrder: 50,
      fields: [{ key: 'year', label: 'Year', type: 'text' }],
    },
    ...{ isRoutable: true, routePattern: `/${slug}/{slug}`, detailPartial: null },
  })
  const entryIds: Pair = [
    await addEntry(db, slug, { slug: 'roof', title: 'Roof' }),
    await addEntry(db, slug, { slug: 'cellar', title: 'Cellar' }),
  ]
  return { slug, id: await idOfType(db, slug), entryIds }
}

export async function idOfType(db: Db, slug: string): Promise<number> {
  const type = await findContentType(db, slug)
  if (!type) throw new Error(`There is no content type ${slug}`)
  return type.id
}
