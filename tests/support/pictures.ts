import { hash } from 'node:crypto'
import type { Picture } from '#src/pictures/picture.ts'

/** A library picture whose bytes don't exist. */
export function aPicture(picture: Partial<Picture> = {}): Picture {
  const name = picture.name ?? 'shop.jpg'
  return {
    name,
    sha256: hash('sha256', name),
    ...{ width: 1200, height: 800, size: 100_000 },
    ...{ alt: null, focalPoint: null, crop: null, tags: [] },
    ...picture,
  }
}
