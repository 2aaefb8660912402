import { contrastOf, moveToContrast } from './color.ts'
import type { Colors, Preset } from './presets.ts'

const LIGHT_ON_DARK = '#ffffff'
const DARK_ON_LIGHT = '#14141a'
// The band has white text and an accent, so it stays dark.
const BAND_CONTRAST = 10
const DARK_PRIMARY_CONTRAST = 6

type SomeColors = Partial<Colors>

/** Settings that override those of a preset. */
export interface ThemeChanges {
  fonts?: string
  radius?: number
  colors?: SomeColors
  dark_colors?: SomeColors
}

/**
 * Returns the complete look: the preset with the colors, fonts, and radius from the settings. Derived colors are
 * computed unless set: the text on a color, the band, and the dark variants.
 */
export function completeTheme(
  base: Preset,
  { fonts, radius, colors = {}, dark_colors = {} }: ThemeChanges,
): Preset {
  return {
    fonts: fonts ?? base.fonts,
    radius: radius ?? base.radius,
    light: { ...base.light, ...followingColors(colors), ...colors },
    dark: { ...base.dark, ...followingDarkColors(colors, dark_colors, base), ...dark_colors },
  }
}

function followingColors({ primary, accent, band = primary && deep(primary) }: SomeColors): SomeColors {
  return {
    ...(primary && { on_primary: legibleOn(primary) }),
    ...(accent && { on_accent: legibleOn(accent) }),
    ...(band && { band, on_band: legibleOn(band) }),
  }
}

function followingDarkColors(light: SomeColors, dark: SomeColors, base: Preset): SomeColors {
  const against = dark.background ?? base.dark.background
  const band = light.band ?? (light.primary && deep(light.primary))
  const named = {
    ...(light.primary && { primary: lifted(light.primary, against) }),
    ...(light.accent && { accent: light.accent }),
    ...(band && { band }),
    ...dark,
  }
  return { ...named, ...followingColors(named) }
}

function deep(color: string): string {
  return moveToContrast(color, { target: '#000000', against: LIGHT_ON_DARK, contrast: BAND_CONTRAST })
}

function lifted(color: string, against: string): string {
  return moveToContrast(color, { target: LIGHT_ON_DARK, against, contrast: DARK_PRIMARY_CONTRAST })
}

function legibleOn(color: string): string {
  return contrastOf(color, LIGHT_ON_DARK) >= contrastOf(color, DARK_ON_LIGHT) ? LIGHT_ON_DARK : DARK_ON_LIGHT
}
