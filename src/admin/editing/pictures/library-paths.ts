/** File types that the library accepts, for file inputs. */
export const PICTURE_TYPES = 'image/jpeg,image/png,image/webp,image/avif'

/** In the URL of a picture's page that an editor opened. */
export const FROM_EDITOR = 'from=editor'

/** Returns the URL of a picture's own page, where its focal point is set; an editor opens it in a new tab. */
export function picturePath({ id }: { id: number }): string {
  return `/admin/pictures/${id}?${FROM_EDITOR}`
}

/** Returns the URL of a thumbnail. It changes with the picture's bytes, so browsers can cache it. */
export function imagePath({ id, sha256 }: { id: number; sha256: string }, width: 320 | 1280 = 320): string {
  return `/admin/pictures/${id}/image?width=${width}&of=${sha256.slice(0, 12)}`
}
