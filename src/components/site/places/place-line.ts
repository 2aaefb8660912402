import type { LocationServiceView } from '#src/site/pages/location-service-page.ts'

/** A place with its city and its region, itself once: `Hyde Park, Austin, Texas`, and `New York, New York` for the city. */
export function placeLine({
  name,
  city,
  region,
}: Pick<LocationServiceView['place'], 'name' | 'city' | 'region'>): string {
  const line = city === null ? [region] : [city, region]
  return (line[0] === name ? line : [name, ...line]).filter(Boolean).join(', ')
}
