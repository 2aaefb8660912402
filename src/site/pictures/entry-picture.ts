import { textOf } from '../pages/text-of.ts'
import type { Picture } from './picture-store.ts'

const WIDTHS = [480, 800, 1200, 1600]
const NAME_DIGITS = 16

/** A picture as a page shows it: the browser takes the smallest that fits. */
export interface EntryPicture {
  src: string
  srcset: string
  width: number
  height: number
  alt: string
}

/** A file of a picture: narrower than it was handed in, or as wide. */
export interface PictureVariant {
  /** Named by the picture's bytes, so kept for ever. */
  path: string
  width: number
}

/** The files of a picture, narrowest first. */
export function variantsOf({ sha256, width: full }: Picture): PictureVariant[] {
  const widths = [...WIDTHS.filter((width) => width < full), Math.min(full, WIDTHS.at(-1) ?? full)]
  return [...new Set(widths)].map((width) => ({
    width,
    path: `/_astro/picture-${sha256.slice(0, NAME_DIGITS)}-${width}.webp`,
  }))
}

/** A picture in its smallest width, with the height that belongs to it; null when there is none of that name. */
export function smallPicture(
  pictures: ReadonlyMap<string, Picture>,
  name: string | null,
): (PictureVariant & { height: number }) | null {
  const picture = pictures.get(name ?? '')
  const [smallest] = picture ? variantsOf(picture) : []
  if (!picture || !smallest) return null
  return { ...smallest, height: Math.round((picture.height * smallest.width) / picture.width) }
}

/** A picture's addresses and its size in the widest of them. */
export function sourcesOf(picture: Picture): Omit<EntryPicture, 'alt'> {
  const variants = variantsOf(picture)
  const { path: src, width } = variants.at(-1) ?? { path: '', width: picture.width }
  return {
    src,
    srcset: variants.map((variant) => `${variant.path} ${variant.width}w`).join(', '),
    width,
    height: Math.round((picture.height * width) / picture.width),
  }
}

/** The picture that an entry names; null when it names none, or one that is not there. */
export function entryPicture(
  pictures: ReadonlyMap<string, Picture>,
  data: Readonly<Record<string, unknown>>,
): EntryPicture | null {
  const picture = pictures.get(textOf(data.picture) ?? '')
  return picture ? { ...sourcesOf(picture), alt: textOf(data.picture_alt) ?? '' } : null
}
