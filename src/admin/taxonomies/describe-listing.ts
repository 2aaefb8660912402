import { termListTexts } from '../../messages/admin/terms.ts'
import { nearestOfKind } from '../../taxonomies/kind-of-place.ts'
import { LOCATIONS } from '../../taxonomies/place-kind.ts'
import type { TermNode } from '../../taxonomies/term-tree.ts'

/** Returns the sentence about the lists that show places added to a city; undefined for other parents. */
export function describeListing(
  taxonomy: string,
  parent: TermNode | undefined,
  siteCountry: string,
): string | undefined {
  const city = parent && taxonomy === LOCATIONS ? nearestOfKind(parent, 'city', siteCountry) : undefined
  return city && termListTexts.inCity(city.name)
}
