import { sha256Hex } from '../../lib/canonical-json.ts'
import { type Picture, pictureName, shownSize } from '../../pictures/picture.ts'
import { focusInTenths } from '../../pictures/shown-part.ts'
import { textOf } from '../pages/text-of.ts'

const WIDTHS = [480, 800, 1200, 1600]
const NAME_DIGITS = 16
const CROP_DIGITS = 8
/** The encodings of a picture; browsers use the first one they support. */
export const ENDINGS = ['avif', 'webp'] as const

/** A picture on a page: the browser loads the smallest size that fits. */
export interface EntryPicture {
  src: string
  srcset: string
  /** The `srcset` of the AVIF versions, which are smaller. */
  avif: string
  width: number
  height: number
  alt: string
  /** Classes that keep the focal point visible when the picture is cropped; empty for the center. */
  focus: string
}

/** A variant of a picture: narrower than the original, or just as wide. */
export interface PictureVariant {
  /** Named by a hash of its content, so it can be cached forever. */
  path: string
  width: number
}

type Shown = Pick<Picture, 'sha256' | 'width' | 'height' | 'crop'>

/** The files of a picture in one encoding, narrowest first. */
export function variantsOf(picture: Shown, ending: (typeof ENDINGS)[number] = 'webp'): PictureVariant[] {
  const { width: full } = shownSize(picture)
  const widths = [...WIDTHS.filter((width) => width < full), Math.min(full, WIDTHS.at(-1) ?? full)]
  return [...new Set(widths)].map((width) => ({
    width,
    path: `/_astro/picture-${nameOf(picture)}-${width}.${ending}`,
  }))
}

/** Returns a picture's name in URLs: a hash of its bytes and its crop. */
export function nameOf({ sha256, crop }: Pick<Picture, 'sha256' | 'crop'>): string {
  const start = sha256.slice(0, NAME_DIGITS)
  return crop ? `${start}-${sha256Hex(JSON.stringify(crop)).slice(0, CROP_DIGITS)}` : start
}

/** Parses the name of a variant: the start of its picture's hash, its width, and its encoding. */
export function readVariantName(name: string) {
  const found = /^picture-(?<hash>[0-9a-f]{16})(?:-[0-9a-f]{8})?-(?<width>\d{1,4})\.(?:avif|webp)$/.exec(name)
  return found?.groups && { hash: String(found.groups.hash), width: Number(found.groups.width) }
}

/** Returns the smallest variant of a picture with its height; null if the picture is unknown. */
export function smallPicture(
  pictures: ReadonlyMap<string, Picture>,
  name: string | null,
): (PictureVariant & { height: number }) | null {
  const picture = pictures.get(name ?? '')
  const [smallest] = picture ? variantsOf(picture) : []
  if (!picture || !smallest) return null
  const { width, height } = shownSize(picture)
  return { ...smallest, height: Math.round((height * smallest.width) / width) }
}

/** Returns a picture's URLs and its size at the largest width. */
export function sourcesOf(picture: Picture): Pick<EntryPicture, 'src' | 'srcset' | 'width' | 'height'> {
  const variants = variantsOf(picture)
  const shown = shownSize(picture)
  const { path: src, width } = variants.at(-1) ?? { path: '', width: shown.width }
  return { src, srcset: srcsetOf(variants), width, height: Math.round((shown.height * width) / shown.width) }
}

function srcsetOf(variants: readonly PictureVariant[]): string {
  return variants.map(({ path, width }) => `${path} ${width}w`).join(', ')
}

/** Returns the picture with that name; null if there is none. `alt` is the page's own text for it. */
export function namedPicture(
  pictures: ReadonlyMap<string, Picture>,
  name: unknown,
  alt: string | null = null,
): EntryPicture | null {
  const picture = pictures.get(pictureName(textOf(name) ?? ''))
  return picture ? shownPicture(picture, alt) : null
}

/** A picture as pages show it. */
function shownPicture(picture: Picture, alt: string | null = null): EntryPicture {
  const { src, srcset, width, height } = sourcesOf(picture)
  const avif = srcsetOf(variantsOf(picture, 'avif'))
  return { src, srcset, avif, width, height, alt: alt ?? picture.alt ?? '', focus: focusOf(picture) }
}

/** Returns the pictures with these names, leaving out missing ones. */
export function namedPictures(pictures: ReadonlyMap<string, Picture>, names: unknown): EntryPicture[] {
  return Array.isArray(names) ? names.flatMap((name) => namedPicture(pictures, name) ?? []) : []
}

// In tenths, as classes: the Content-Security-Policy blocks style attributes.
function focusOf(picture: Picture): string {
  const [x, y] = focusInTenths(picture) ?? []
  return x === undefined ? '' : `sp-fx${x} sp-fy${y}`
}

/** Returns the picture that an entry names; null if it names none or a missing one. */
export function entryPicture(
  pictures: ReadonlyMap<string, Picture>,
  data: Readonly<Record<string, unknown>>,
): EntryPicture | null {
  return namedPicture(pictures, data.picture, textOf(data.picture_alt))
}
