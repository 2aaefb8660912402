import { addProblem } from '../../messages/files/rules/schema-rule.ts'
import type { ColorRole } from './presets.ts'
import { type ThemeSettings, themeKeys } from './theme-keys.ts'
import { findThemeProblems } from './theme-problems.ts'

/** `theme` of `content/site.yaml`. Colors that make a text hard to read are refused. */
export const themeSettings = themeKeys.superRefine((settings, context) => {
  for (const { key, role, fault } of findThemeProblems(settings)) {
    addProblem(context, { ...fault, path: placeOf(settings, key, role) })
  }
})

// A dark color may be derived from a light one, which then needs to be fixed.
function placeOf({ dark_colors }: ThemeSettings, key: 'colors' | 'dark_colors', role: ColorRole) {
  return key === 'dark_colors' && dark_colors?.[role] === undefined ? ['colors', role] : [key, role]
}
