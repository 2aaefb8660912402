import { contrastOf } from './color.ts'
import { type ColorRole, type Colors, LEGIBLE_PAIRS } from './presets.ts'

/** Contrast of a color with one it appears on, rounded down as in the theme check. */
export interface Contrast {
  with: ColorRole
  contrast: number
  least: number
  isReadable: boolean
}

/**
 * Returns the pair of a color that misses its minimum contrast the most, or is closest to it; undefined if none
 * applies.
 */
export function worstContrast(colors: Colors, role: ColorRole): Contrast | undefined {
  const found = LEGIBLE_PAIRS.filter((pair) => pair[0] === role || pair[1] === role).map(
    ([one, other, least]) => {
      const contrast = contrastOf(colors[one], colors[other])
      const shown = Math.floor(contrast * 10) / 10
      return { with: one === role ? other : one, contrast: shown, least, isReadable: contrast >= least }
    },
  )
  return found.sort((a, b) => a.contrast / a.least - b.contrast / b.least)[0]
}
