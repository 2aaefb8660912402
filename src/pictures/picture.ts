import { z } from 'zod'

/** Maximum length of a picture's name, including its extension. */
export const MAX_NAME_LENGTH = 120
/** Maximum length of a tag. */
const MAX_TAG_LENGTH = 40
/** Maximum length of a picture's description. */
export const MAX_ALT_LENGTH = 500
const MAX_TAGS = 20

const part = z.number().min(0).max(1)

/** The most important point, as fractions of width and height from the top left: `[0.5, 0.3]`. */
export const focalPoint = z.tuple([part, part])

/** The visible part of a picture, in fractions of its width and height. */
export const crop = z
  .strictObject({ x: part, y: part, width: part, height: part })
  .refine(({ x, width }) => width >= 0.05 && x + width <= 1.0001, { path: ['width'] })
  .refine(({ y, height }) => height >= 0.05 && y + height <= 1.0001, { path: ['height'] })

export const pictureTags = z.array(z.string().trim().min(1).max(MAX_TAG_LENGTH)).max(MAX_TAGS)

/** The details of a picture: the keys of its file in `content/pictures`. */
export const pictureFacts = z.strictObject({
  /** Empty for a decorative picture; null or missing if unset. */
  alt: z.string().max(MAX_ALT_LENGTH).nullish(),
  focal_point: focalPoint.nullish(),
  crop: crop.nullish(),
  tags: pictureTags.nullish(),
})

export type FocalPoint = z.output<typeof focalPoint>
export type Crop = z.output<typeof crop>

/** A picture's bytes, identified by their hash. */
export interface PictureBytes {
  sha256: string
  /** In pixels, after applying its orientation. */
  width: number
  height: number
  /** In bytes. */
  size: number
}

/** A picture that entries may name. */
export interface Picture extends PictureBytes {
  name: string
  /** Empty for a decorative picture; null if unset. */
  alt: string | null
  focalPoint: FocalPoint | null
  crop: Crop | null
  tags: string[]
}

/** Normalizes a name, because some systems write `é` in file names as two characters and people type one. */
export function pictureName(text: string): string {
  return text.normalize('NFC')
}

/** Returns a name without its extension. */
export function stemOfName(name: string): string {
  return name.replace(/\.[^.]*$/, '')
}

/** Returns the size of a picture's visible part, in pixels. */
export function shownSize({ width, height, crop }: Pick<Picture, 'width' | 'height' | 'crop'>) {
  if (!crop) return { width, height }
  return {
    width: Math.max(1, Math.round(width * crop.width)),
    height: Math.max(1, Math.round(height * crop.height)),
  }
}
