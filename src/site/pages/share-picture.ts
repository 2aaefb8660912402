import { hash } from 'node:crypto'
import type { SiteSettings } from '../settings/site-settings.ts'
import { resolveTheme } from '../theme/looks.ts'
import type { Colors } from '../theme/presets.ts'

/** The size that sites which show links ask for. */
export const PICTURE_WIDTH = 1200
export const PICTURE_HEIGHT = 630

/** Raised when the same words are to give another picture. */
const DRAWING = 2
const NAME_DIGITS = 20
/** A picture takes about 20 ms: more of them would make the first publish a matter of minutes. */
const MOST_PLACES_DRAWN = 5_000

/** The drawing of a page's share picture. */
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
  /** Named by what is on it: another picture has another address. */
  path: string
  alt: string
}

export interface SharePicture extends PictureView {
  drawing: ShareDrawing
}

/** The picture with these words and colors. A word that no font can draw is left out of it. */
export function sharePicture(drawing: ShareDrawing): SharePicture {
  const { siteName, title, subtitle, footer, colors } = drawing
  const texts = [siteName, title, subtitle ?? '', footer ?? '']
  const name = hash('sha256', JSON.stringify([DRAWING, ...texts, colors]), 'hex').slice(0, NAME_DIGITS)
  const alt = [title, subtitle, siteName].filter(Boolean).join(', ')
  return { path: `/og/${name}.png`, alt, drawing }
}

/** The picture of the site, for pages that have none of their own. */
export function pictureOfSite({ name, tagline, phone, theme }: SiteSettings): SharePicture {
  return sharePicture({
    colors: colorsOf(theme),
    siteName: name,
    title: tagline ?? name,
    subtitle: null,
    footer: phone,
  })
}

/** The picture of a service, in a place if one is given. */
export function pictureOfService(
  { name, phone, theme }: SiteSettings,
  service: string,
  place?: { name: string; phone: string | null },
): SharePicture {
  const footer = place?.phone ?? phone
  const subtitle = place?.name ?? null
  return sharePicture({ colors: colorsOf(theme), siteName: name, title: service, subtitle, footer })
}

// The picture has one look, whatever the device of the one who sees it.
function colorsOf(theme: SiteSettings['theme']): ShareDrawing['colors'] {
  const { band, on_band, accent, primary } = resolveTheme(theme).light
  return { band, on_band, accent, primary }
}

/** Returns whether each place of a service gets a picture: as the settings say, else while there are not too many. */
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
