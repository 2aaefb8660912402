import { z } from 'zod'

/** The longest name that a picture may have, with its ending. */
export const MAX_NAME_LENGTH = 120
/** A tag is one word or a few. */
const MAX_TAG_LENGTH = 40
/** The longest description of a picture. */
export const MAX_ALT_LENGTH = 500
const MAX_TAGS = 20

const part = z.number().min(0).max(1)

/** Point that the eye goes to, as parts of width and height from the top left: `[0.5, 0.3]`. */
export const focalPoint = z.tuple([part, part])

/** The visible part of a picture, in shares of its width and height. */
export const crop = z
  .strictObject({ x: part, y: part, width: part, height: part })
  .refine(({ x, width }) => width >= 0.05 && x + width <= 1.0001, { path: ['width'] })
  .refine(({ y, height }) => height >= 0.05 && y + height <= 1.0001, { path: ['height'] })

export const pictureTags = z.array(z.string().trim().min(1).max(MAX_TAG_LENGTH)).max(MAX_TAGS)

/** The details of a picture: the keys of its file in `content/pictures`. */
export const pictureFacts = z.strictObject({
  /** Empty for a decorative one; null or left out when nobody said it yet. */
  alt: z.string().max(MAX_ALT_LENGTH).nullish(),
  focal_point: focalPoint.nullish(),
  crop: crop.nullish(),
  tags: pictureTags.nullish(),
})

export type FocalPoint = z.output<typeof focalPoint>
export type Crop = z.output<typeof crop>

/** The bytes of a picture, by what they are. */
export interface PictureBytes {
  sha256: string
  /** In pixels, as it is looked at. */
  width: number
  height: number
  /** In bytes. */
  size: number
}

/** A picture that entries may name. */
export interface Picture extends PictureBytes {
  name: string
  /** Empty for a decorative one; null when nobody said it yet. */
  alt: string | null
  focalPoint: FocalPoint | null
  crop: Crop | null
  tags: string[]
}

/** A name as pictures are known by: some machines write `é` in a file's name as two characters, and people as one. */
export function pictureName(text: string): string {
  return text.normalize('NFC')
}

/** A name without its ending. */
export function stemOfName(name: string): string {
  return name.replace(/\.[^.]*$/, '')
}

/** The size of what is shown of a picture, in pixels. */
export function shownSize({ width, height, crop }: Pick<Picture, 'width' | 'height' | 'crop'>) {
  if (!crop) return { width, height }
  return {
    width: Math.max(1, Math.round(width * crop.width)),
    height: Math.max(1, Math.round(height * crop.height)),
  }
}
