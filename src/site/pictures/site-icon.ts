import { sha256Hex } from '../../lib/canonical-json.ts'
import type { Picture } from '../../pictures/picture.ts'
import type { SiteSettings } from '../settings/site-settings.ts'
import { resolveTheme } from '../theme/looks.ts'
import type { Colors } from '../theme/presets.ts'
import { nameOf } from './entry-picture.ts'
import { showsName } from './site-logo.ts'

/** Widths in pixels: search engines ask for a multiple of 48, Apple for 180. */
export const ICON_WIDTHS = { favicon: 96, touch: 180 } as const

/** Increase when the same source should make a different icon. */
const DRAWING = 2

export type IconUse = keyof typeof ICON_WIDTHS

/** URLs of the icon for tabs and home screens. */
export type SiteIcon = Record<IconUse, string>

/** The source of a site's icon: a picture, or the first letter of its name. */
export type IconSource =
  | { kind: 'picture'; picture: Picture }
  | { kind: 'letter'; letter: string; colors: Pick<Colors, 'band' | 'on_band'> }

type Named = Pick<SiteSettings, 'name' | 'logo' | 'logo_shows_name' | 'icon' | 'theme'>

/**
 * Returns the picture set as `icon`, or else the logo; the first letter of the name if the logo is a wordmark, which
 * would be unreadable at this size. Null without a logo.
 */
export function iconSource(settings: Named, pictures: ReadonlyMap<string, Picture>): IconSource | null {
  const icon = pictures.get(settings.icon ?? '')
  if (icon) return { kind: 'picture', picture: icon }
  const logo = pictures.get(settings.logo ?? '')
  if (!logo) return null
  if (!showsName(settings, logo)) return { kind: 'picture', picture: logo }
  const { band, on_band } = resolveTheme(settings.theme).light
  const [letter = ''] = settings.name.match(/[\p{L}\p{N}]/u) ?? []
  return letter ? { kind: 'letter', letter: letter.toLocaleUpperCase(), colors: { band, on_band } } : null
}

/** The URLs of an icon, named by a hash of its content. */
export function iconPaths(source: IconSource): SiteIcon {
  const name =
    source.kind === 'picture' ? nameOf(source.picture) : sha256Hex(JSON.stringify(source)).slice(0, 16)
  const path = (use: IconUse) => `/_astro/icon-${DRAWING}-${name}-${ICON_WIDTHS[use]}.png`
  return { favicon: path('favicon'), touch: path('touch') }
}
