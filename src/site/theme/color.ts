/** Red, green, and blue from 0 to 255. */
type Rgb = readonly [number, number, number]

/** A color as `#rgb` or `#rrggbb`. */
export const HEX_COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** Returns the contrast ratio of two colors (WCAG 2.2), from 1 (equal) to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Moves a color toward `target` just far enough to reach this contrast with `against`. */
export function moveToContrast(
  color: string,
  { target, against, contrast }: { target: string; against: string; contrast: number },
): string {
  for (let part = 0; part < 1; part += 0.02) {
    const moved = mixColors(color, target, part)
    if (contrastOf(moved, against) >= contrast) return moved
  }
  return target
}

function mixColors(from: string, to: string, part: number): string {
  const [start, end] = [toRgb(from), toRgb(to)]
  const channel = (index: 0 | 1 | 2) => Math.round(start[index] + (end[index] - start[index]) * part)
  return `#${[channel(0), channel(1), channel(2)].map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

function luminanceOf(color: string): number {
  const [red, green, blue] = toRgb(color).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function toRgb(color: string): Rgb {
  const digits = color.slice(1)
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  const value = Number.parseInt(long, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
