import type { Picture } from '../../pictures/picture.ts'
import { shownSize } from '../../pictures/picture.ts'
import type { SiteSettings } from '../settings/site-settings.ts'
import { smallPicture } from './entry-picture.ts'

// A logo at least this wide usually spells out the name.
const WORDMARK_RATIO = 2

/** A file of the logo with its size. */
interface LogoFile {
  path: string
  width: number
  height: number
}

/** The logo in headers and footers. */
export interface LogoView extends LogoFile {
  /** True if the logo spells out the business's name, which is then not shown beside it. */
  showsName: boolean
  /** Used on dark backgrounds; null without one. */
  dark: LogoFile | null
}

type Named = Pick<SiteSettings, 'logo' | 'logo_dark' | 'logo_shows_name'>

/** Returns a site's logo; null if the first letter of the name represents the business. */
export function logoView(settings: Named, pictures: ReadonlyMap<string, Picture>): LogoView | null {
  const picture = pictures.get(settings.logo ?? '')
  const file = picture && smallPicture(pictures, picture.name)
  if (!file) return null
  const dark = smallPicture(pictures, settings.logo_dark ?? null)
  return { ...file, showsName: showsName(settings, picture), dark }
}

/** Returns whether a logo contains the business's name: as set, or else judged by its shape. */
export function showsName({ logo_shows_name }: Pick<Named, 'logo_shows_name'>, picture: Picture): boolean {
  const { width, height } = shownSize(picture)
  return logo_shows_name ?? width >= WORDMARK_RATIO * height
}
