import type { SubmissionOrigin } from '../../db/tables/submission-origin.ts'

/** A counted event with its UTC day. */
export interface Happening {
  day: string
  /** `#12` by ID, `=boiler-service` by the slug of what is gone, empty for none. */
  service: string
  /** `#12` by ID, `=texas/austin` by the slugs of what is gone, empty for none. */
  place: string
  source: string
  page: string
}

/** Key of a sum: see `ResultKey` of the tables. */
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
 * The sums that something counts in: its day, month and year as a whole, its month and year by service, source and page,
 * each in its place and in all places together.
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

/** Adds up what several happenings bring to each sum, in an order that is the same for every process. */
export function addUp<Name extends string>(
  happenings: readonly (Happening & Record<Name, number>)[],
  names: readonly Name[],
): (SumKey & Record<Name, number>)[] {
  const sums = new Map<string, { key: SumKey; counts: Record<Name, number> }>()
  for (const happening of happenings) {
    for (const key of sumKeysOf(happening)) {
      const id = JSON.stringify(Object.values(key))
      const none = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
      const sum = sums.get(id) ?? { key, counts: none }
      for (const name of names) sum.counts[name] += happening[name]
      sums.set(id, sum)
    }
  }
  const inOrder = [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
  return inOrder.map(([, { key, counts }]) => ({ ...key, ...counts }))
}

/** Returns what sums call a place or a service by its ID. */
export function keyOfId(id: number): string {
  return `#${id}`
}

/** Returns the ID in such a key; undefined in any other. */
export function idOfKey(key: string): number | undefined {
  return key.startsWith('#') ? Number(key.slice(1)) : undefined
}

/** Returns what sums call a place or a service that is gone. */
export function keyOfSlugs(slugs: string): string {
  return slugs === '' ? '' : `=${slugs}`
}

/** Returns what sums call the place of a page; the triggers of migration 0230 say the same of a lead. */
export function placeKey(page: Pick<SubmissionOrigin, 'locationId' | 'locationPath'> | undefined): string {
  return page?.locationId ? keyOfId(page.locationId) : keyOfSlugs(page?.locationPath ?? '')
}

/** Returns what sums call the service of a page. */
export function serviceKey(page: Pick<SubmissionOrigin, 'serviceId' | 'serviceSlug'> | undefined): string {
  return page?.serviceId ? keyOfId(page.serviceId) : keyOfSlugs(page?.serviceSlug ?? '')
}
