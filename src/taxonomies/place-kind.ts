/** The kinds of places, from the largest to the smallest. */
export const PLACE_KINDS = ['country', 'state', 'region', 'county', 'city', 'area'] as const

export type PlaceKind = (typeof PLACE_KINDS)[number]

/** The taxonomy whose terms are places. */
export const LOCATIONS = 'locations'
