import type { Db } from '../../db/schema.ts'
import { findForm } from '../../forms/form-store.ts'
import { hasPicture } from '../../pictures/picture-store.ts'
import { loadPlaces } from '../offers/load-places.ts'
import { locationOfPattern } from '../offers/offered-in.ts'
import { findEntryOf, type Named } from './meaning.ts'

/** Lookup of names, among the files of a sync or in the database. */
export interface KnownNames<Found extends boolean | Promise<boolean>> {
  /** `type` is their folder in the content folder: `forms`, `pictures`, `services`, `taxonomies/locations`. */
  has(type: string, slug: string): Found
}

/** Returns whether the things that a value names exist. */
export function isKnown<Found extends boolean | Promise<boolean>>(
  named: Named,
  names: KnownNames<Found>,
): Found | boolean {
  switch (named.to) {
    case 'form':
      return names.has('forms', named.slug)
    case 'entry':
      return names.has(named.type, named.slug)
    case 'picture':
      return names.has('pictures', named.name)
    case 'one_of':
      return named.names.includes(named.name)
    case 'locations': {
      const slug = locationOfPattern(named.pattern)
      return slug !== undefined && names.has('taxonomies/locations', slug)
    }
    case 'phone':
      return true
  }
}

/** Returns the names in the database. */
export function namesInDatabase(db: Db): KnownNames<Promise<boolean>> {
  let places: ReturnType<typeof loadPlaces> | undefined
  return {
    async has(type, slug) {
      if (type === 'forms') return (await findForm(db, slug)) !== undefined
      if (type === 'pictures') return hasPicture(db, slug)
      if (type !== 'taxonomies/locations') return (await findEntryOf(db, type, slug)) !== undefined
      places ??= loadPlaces(db)
      return (await places).bySlug.has(slug)
    },
  }
}
