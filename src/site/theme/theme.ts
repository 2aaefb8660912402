import type { Fault } from '../../messages/files/rules/rule.ts'
import { contrastOf, moveToContrast } from './color.ts'
import { type ColorRole, type Colors, LEGIBLE_PAIRS, PRESETS, type Preset } from './presets.ts'
import type { ThemeSettings } from './theme-keys.ts'

const LIGHT_ON_DARK = '#ffffff'
const DARK_ON_LIGHT = '#14141a'
// A band carries white text and an accent: it is kept deep.
const BAND_CONTRAST = 10
const DARK_PRIMARY_CONTRAST = 6

/**
 * The look in full: the preset, with the colors, fonts and radius that the settings name in place of its own. A color
 * that follows from another one is worked out unless it is given too: what is on it, the band, and how a primary
 * color looks in the dark.
 */
export function resolveTheme({
  preset,
  fonts,
  radius,
  colors = {},
  dark_colors = {},
}: ThemeSettings): Preset {
  const base: Preset = PRESETS[preset]
  return {
    fonts: fonts ?? base.fonts,
    radius: radius ?? base.radius,
    light: { ...base.light, ...followingColors(colors), ...colors },
    dark: { ...base.dark, ...followingDarkColors(colors, dark_colors, base), ...dark_colors },
  }
}

type SomeColors = Partial<Colors>

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

export interface ThemeProblem {
  key: 'colors' | 'dark_colors'
  /** The color that the settings name; of two, the one that is read. */
  role: ColorRole
  fault: Extract<Fault, { code: 'low_contrast' }>
}

/** Colors of the settings that make something hard to read, with how hard. */
export function findThemeProblems(settings: ThemeSettings): ThemeProblem[] {
  const { light, dark } = resolveTheme(settings)
  return [
    ...problemsOf(light, settings.colors ?? {}, 'colors'),
    ...problemsOf(dark, { ...settings.colors, ...settings.dark_colors }, 'dark_colors'),
  ]
}

function problemsOf(colors: Colors, named: SomeColors, key: ThemeProblem['key']): ThemeProblem[] {
  return LEGIBLE_PAIRS.flatMap(([role, on, least]) => {
    const contrast = contrastOf(colors[role], colors[on])
    const blamed = [role, on].find((one) => named[one])
    if (contrast >= least || !blamed) return []
    const look = key === 'colors' ? ('light' as const) : ('dark' as const)
    const [color, ground] = [colors[role], colors[on]]
    const params = { role, color, on, ground, look, contrast: floorTo(contrast), least }
    return [{ key, role: blamed, fault: { code: 'low_contrast', params } }]
  })
}

// Rounded down: 4.49 must not read as the 4.5 that was requested.
function floorTo(contrast: number): number {
  return Math.floor(contrast * 10) / 10
}
