import type { LibraryPicture } from '#src/pictures/picture-store.ts'
import { imagePath } from './library-paths.ts'

/** A picture in the dialog. */
export interface PictureOption {
  id: number
  name: string
  /** Address of its thumbnail. */
  image: string
  /** Empty for a decorative picture; null if unset. */
  alt: string | null
}

export function toPictureOption(picture: LibraryPicture): PictureOption {
  return { id: picture.id, name: picture.name, image: imagePath(picture), alt: picture.alt }
}
