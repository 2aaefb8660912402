import type { Picture } from '../../pictures/picture.ts'
import { shownSize } from '../../pictures/picture.ts'
import type { SiteSettings } from '../settings/site-settings.ts'
import { smallPicture } from './entry-picture.ts'

// A logo of this shape is usually the name in its own letters.
const WORDMARK_RATIO = 2

/** A file of the logo with its size. */
interface LogoFile {
  path: string
  width: number
  height: number
}

/** The logo in headers and footers. */
export interface LogoView extends LogoFile {
  /** Its letters are the name of the business, which is then not written beside it. */
  showsName: boolean
  /** Shown on dark backgrounds instead; null without one. */
  dark: LogoFile | null
}

type Named = Pick<SiteSettings, 'logo' | 'logo_dark' | 'logo_shows_name'>

/** Returns the logo of a site; null where the first letter of its name stands for the business. */
export function logoView(settings: Named, pictures: ReadonlyMap<string, Picture>): LogoView | null {
  const picture = pictures.get(settings.logo ?? '')
  const file = picture && smallPicture(pictures, picture.name)
  if (!file) return null
  const dark = smallPicture(pictures, settings.logo_dark ?? null)
  return { ...file, showsName: showsName(settings, picture), dark }
}

/** Returns whether a logo has the name of the business in it: as the settings say, or else by its shape. */
export function showsName({ logo_shows_name }: Pick<Named, 'logo_shows_name'>, picture: Picture): boolean {
  const { width, height } = shownSize(picture)
  return logo_shows_name ?? width >= WORDMARK_RATIO * height
}
