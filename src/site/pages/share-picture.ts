import { hash } from 'node:crypto'
import type { SiteSettings } from '../settings/site-settings.ts'
import { resolveTheme } from '../theme/looks.ts'
import type { Colors } from '../theme/presets.ts'

/** The size recommended by sites that show link previews. */
export const PICTURE_WIDTH = 1200
export const PICTURE_HEIGHT = 630

/** Increase when the same words should make a different picture. */
const DRAWING = 2
const NAME_DIGITS = 20
/** A picture takes about 20 ms. More than this would make the first publish take minutes. */
const MOST_PLACES_DRAWN = 5_000

/** The content of a page's share picture. */
export interface ShareDrawing {
  colors: Pick<Colors, 'band' | 'on_band' | 'accent' | 'primary'>
  siteName: string
  title: string
  /** Below the title, such as the place. */
  subtitle: string | null
  /** At the bottom, such as the phone number. */
  footer: string | null
}

export interface PictureView {
  /** Named by a hash of its content: a different picture has a different URL. */
  path: string
  alt: string
}

export interface SharePicture extends PictureView {
  drawing: ShareDrawing
}

/** Describes the picture with these words and colors. A word that no font can draw is left out. */
export function sharePicture(drawing: ShareDrawing): SharePicture {
  const { siteName, title, subtitle, footer, colors } = drawing
  const texts = [siteName, title, subtitle ?? '', footer ?? '']
  const name = hash('sha256', JSON.stringify([DRAWING, ...texts, colors]), 'hex').slice(0, NAME_DIGITS)
  // A site without a tagline has its name as the title.
  const alt = [...new Set([title, subtitle, siteName])].filter(Boolean).join(', ')
  return { path: `/og/${name}.png`, alt, drawing }
}

/** Describes the site's picture, for pages without their own. */
export function pictureOfSite({ name, tagline, phone, theme }: SiteSettings): SharePicture {
  return sharePicture({
    colors: colorsOf(theme),
    siteName: name,
    title: tagline ?? name,
    subtitle: null,
    footer: phone,
  })
}

/** Describes the picture of a service, in a place if given. */
export function pictureOfService(
  { name, phone, theme }: SiteSettings,
  service: string,
  place?: { name: string; phone: string | null },
): SharePicture {
  const footer = place?.phone ?? phone
  const subtitle = place?.name ?? null
  return sharePicture({ colors: colorsOf(theme), siteName: name, title: service, subtitle, footer })
}

// The picture looks the same for everyone, so it uses the light colors.
function colorsOf(theme: SiteSettings['theme']): ShareDrawing['colors'] {
  const { band, on_band, accent, primary } = resolveTheme(theme).light
  return { band, on_band, accent, primary }
}

/** Returns whether each place of a service gets its own picture: as set, or else if there are few enough. */
export function drawsPlaces(
  { share_pictures }: SiteSettings,
  places: ReadonlyMap<number, ReadonlySet<number>>,
): boolean {
  if (share_pictures) return share_pictures === 'place'
  const count = [...places.values()].reduce((sum, { size }) => sum + size, 0)
  return count <= MOST_PLACES_DRAWN
}

/** Returns the data about a picture for a page's head. */
export function toPictureView(picture: SharePicture | undefined): PictureView | undefined {
  return picture && { path: picture.path, alt: picture.alt }
}
