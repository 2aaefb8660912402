import type { LocationServiceView } from '#src/site/pages/location-service-page.ts'

/**
 * Returns a place with its city and region, without repeating itself: `Hyde Park, Austin, Texas`, and `New York, New
 * York` for the city.
 */
export function placeLine({
  name,
  city,
  region,
}: Pick<LocationServiceView['place'], 'name' | 'city' | 'region'>): string {
  const line = city === null ? [region] : [city, region]
  return (line[0] === name ? line : [name, ...line]).filter(Boolean).join(', ')
}
