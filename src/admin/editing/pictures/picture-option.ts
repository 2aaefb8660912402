import type { LibraryPicture } from '#src/pictures/picture-store.ts'
import { imagePath } from './library-paths.ts'

/** A picture as the browser gets it to choose from. */
export interface PictureOption {
  name: string
  /** Address of its thumbnail. */
  image: string
  /** Empty for a decorative one; null when nobody said it yet. */
  alt: string | null
}

export function toPictureOption(picture: LibraryPicture): PictureOption {
  return { name: picture.name, image: imagePath(picture), alt: picture.alt }
}
