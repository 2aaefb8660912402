import type { Fault } from '../../messages/files/rules/rule.ts'
import { contrastOf } from './color.ts'
import { resolveTheme } from './looks.ts'
import { type ColorRole, type Colors, LEGIBLE_PAIRS } from './presets.ts'
import type { ThemeSettings } from './theme-keys.ts'

type SomeColors = Partial<Colors>

export interface ThemeProblem {
  key: 'colors' | 'dark_colors'
  /** The color set in the settings; of a pair, the text color. */
  role: ColorRole
  fault: Extract<Fault, { code: 'low_contrast' }>
}

/** Finds colors in the settings that make something hard to read, with their contrast. */
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

// Rounded down: 4.49 must not be shown as the required 4.5.
function floorTo(contrast: number): number {
  return Math.floor(contrast * 10) / 10
}
