import { loadPlaces } from '../offers/load-places.ts'
import type { FieldMeaning } from './meaning.ts'

/** The place of a location service, by its ID. The admin names it by its slug: a list of all IDs would be long. */
export const locationId: FieldMeaning = {
  inFiles: 'path',
  posted: 'text',
  resolve: async (db, slugOrId) => {
    const places = await loadPlaces(db)
    const place =
      typeof slugOrId === 'number' ? places.byId.get(slugOrId) : places.bySlug.get(String(slugOrId))
    return place ? { value: place.id } : { error: `There is no place "${slugOrId}".` }
  },
  control: 'apart',
}
