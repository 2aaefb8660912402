import type { SubmissionOrigin } from '../../db/tables/submission-origin.ts'

/** A counted event with its day in the site's time zone. */
export interface Happening {
  day: string
  /** `#12` by ID, `=boiler-service` by the slug of a deleted service, empty for none. */
  service: string
  /** `#12` by ID, `=texas/austin` by the slugs of a deleted place, empty for none. */
  place: string
  source: string
  page: string
}

/** Key of a sum; see `ResultKey` in the tables. */
export interface SumKey {
  period: string
  dimension: Dimension
  subject: string
  place: string
}

export type Dimension = 'all' | 'service' | 'source' | 'page'

/** The key of all places together. */
export const EVERY_PLACE = '#'

/**
 * Lists the sums that an event counts in: its day, month, and year as a whole, and its month and year by service,
 * source, and page, each for its place and for all places together.
 */
function sumKeysOf({ day, service, place, source, page }: Happening): SumKey[] {
  const [year, month] = [day.slice(0, 4), day.slice(0, 7)]
  const parts = [
    { dimension: 'service', subject: service },
    { dimension: 'source', subject: source },
    { dimension: 'page', subject: page },
  ] as const
  const sums = [
    ...[day, month, year].map((period) => ({ period, dimension: 'all' as const, subject: '' })),
    ...[month, year].flatMap((period) => parts.map((part) => ({ period, ...part }))),
  ]
  return [place, EVERY_PLACE].flatMap((where) => sums.map((sum) => ({ ...sum, place: where })))
}

/** Returns the first events, at least one, that together count in no more than this many sums. */
export function firstWithin<Event extends Happening>(
  happenings: readonly Event[],
  mostSums: number,
): Event[] {
  const ids = new Set<string>()
  const end = happenings.findIndex((happening, index) => {
    for (const key of sumKeysOf(happening)) ids.add(idOf(key))
    return index > 0 && ids.size > mostSums
  })
  return happenings.slice(0, end === -1 ? undefined : end)
}

/** Adds up the counts of several events by sum, in an order that is the same in every process. */
export function addUp<Name extends string>(
  happenings: readonly (Happening & Record<Name, number>)[],
  names: readonly Name[],
): (SumKey & Record<Name, number>)[] {
  const sums = new Map<string, { key: SumKey; counts: Record<Name, number> }>()
  for (const happening of happenings) {
    for (const key of sumKeysOf(happening)) {
      const id = idOf(key)
      const none = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
      const sum = sums.get(id) ?? { key, counts: none }
      for (const name of names) sum.counts[name] += happening[name]
      sums.set(id, sum)
    }
  }
  const inOrder = [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
  return inOrder.map(([, { key, counts }]) => ({ ...key, ...counts }))
}

function idOf(key: SumKey): string {
  return JSON.stringify(Object.values(key))
}

/** Returns the key of a place or service with an ID. */
export function keyOfId(id: number): string {
  return `#${id}`
}

/** Returns the ID in such a key; undefined for any other key. */
export function idOfKey(key: string): number | undefined {
  return key.startsWith('#') ? Number(key.slice(1)) : undefined
}

/** Returns the key of a deleted place or service. */
export function keyOfSlugs(slugs: string): string {
  return slugs === '' ? '' : `=${slugs}`
}

/** Returns the key of a page's place. The triggers of migration 0230 build the same keys for leads. */
export function placeKey(page: Pick<SubmissionOrigin, 'locationId' | 'locationPath'> | undefined): string {
  return page?.locationId ? keyOfId(page.locationId) : keyOfSlugs(page?.locationPath ?? '')
}

/** Returns the key of a page's service. */
export function serviceKey(page: Pick<SubmissionOrigin, 'serviceId' | 'serviceSlug'> | undefined): string {
  return page?.serviceId ? keyOfId(page.serviceId) : keyOfSlugs(page?.serviceSlug ?? '')
}
