import type { Picture } from '../../pictures/picture.ts'
import { type EntryPicture, namedPicture, namedPictures } from './entry-picture.ts'

/** A page's pictures besides those in its text. */
export interface PagePictures {
  /** The picture at the top of the page. */
  hero: EntryPicture | null
  gallery: EntryPicture[]
  /** The before and after pictures; null unless both are set. */
  beforeAfter: { before: EntryPicture; after: EntryPicture } | null
}

/** Returns the pictures named in an entry's fields or in settings. */
export function pagePictures(
  pictures: ReadonlyMap<string, Picture>,
  fields: Readonly<Record<string, unknown>>,
): PagePictures {
  const before = namedPicture(pictures, fields.before_picture)
  const after = namedPicture(pictures, fields.after_picture)
  return {
    hero: namedPicture(pictures, fields.hero),
    gallery: namedPictures(pictures, fields.gallery),
    beforeAfter: before && after && { before, after },
  }
}

/** Returns the pictures for a page's head: the main one, or else the one in its text. */
export function headPictures({ hero }: Pick<PagePictures, 'hero'>, picture: EntryPicture | null) {
  return { photo: (hero ?? picture)?.src, ...(hero && { preload: hero.avif }) }
}

/** Returns a place's pictures, each replaced by its service's where the place has none. */
export function inheritedPictures(own: PagePictures, service: PagePictures): PagePictures {
  return {
    hero: own.hero ?? service.hero,
    gallery: own.gallery.length > 0 ? own.gallery : service.gallery,
    beforeAfter: own.beforeAfter ?? service.beforeAfter,
  }
}
