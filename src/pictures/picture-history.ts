import type { Subject } from '../versions/version.ts'
import type { Picture } from './picture.ts'

/** The content of a picture's version: its file and its details. */
export type PictureSnapshot = Omit<Picture, 'name'>

/** The picture with this ID as the subject of versions. */
export function pictureSubject(id: number): Subject {
  return { kind: 'picture', id }
}

/** Returns a picture's current content as a version. */
export function toPictureSnapshot(picture: PictureSnapshot): PictureSnapshot {
  const { sha256, width, height, size, alt, focalPoint, crop, tags } = picture
  return { sha256, width, height, size, alt, focalPoint, crop, tags }
}
