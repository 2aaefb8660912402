/** The roles of colors; the keys of `colors` and `dark_colors` in `content/site.yaml`. */
export const COLOR_ROLES = [
  'background',
  'surface',
  'line',
  'text',
  'muted',
  'primary',
  'on_primary',
  'accent',
  'on_accent',
  'band',
  'on_band',
  'positive',
  'negative',
] as const

export type ColorRole = (typeof COLOR_ROLES)[number]
export type Colors = Readonly<Record<ColorRole, string>>

export interface Preset {
  /** Name of a font pair. */
  fonts: string
  /** The radius of cards in pixels; buttons and fields derive theirs from it. */
  radius: number
  light: Colors
  dark: Colors
}

/** The palettes of the default components. Each satisfies every pair of `LEGIBLE_PAIRS`. */
export const PALETTES = {
  bluebonnet: {
    fonts: 'grotesque',
    radius: 14,
    light: {
      background: '#ffffff',
      surface: '#f0f3fc',
      line: '#d3daf0',
      text: '#171d3d',
      muted: '#4d5678',
      primary: '#2f42a5',
      on_primary: '#ffffff',
      accent: '#ffc53d',
      on_accent: '#241a00',
      band: '#1c2766',
      on_band: '#ffffff',
      positive: '#2f7d4f',
      negative: '#b3261e',
    },
    dark: {
      background: '#0f1328',
      surface: '#191f3c',
      line: '#343c66',
      text: '#e9ecfa',
      muted: '#adb6d9',
      primary: '#aebcff',
      on_primary: '#121a4c',
      accent: '#ffc94d',
      on_accent: '#241a00',
      band: '#1a235a',
      on_band: '#ffffff',
      positive: '#7fd09b',
      negative: '#ff9b92',
    },
  },
  prairie: {
    fonts: 'slab',
    radius: 5,
    light: {
      background: '#fffefb',
      surface: '#f3f1e8',
      line: '#dad7c6',
      text: '#22291f',
      muted: '#565d50',
      primary: '#236343',
      on_primary: '#ffffff',
      accent: '#e9703a',
      on_accent: '#230c00',
      band: '#1d3b2c',
      on_band: '#fffdf4',
      positive: '#2f7d4f',
      negative: '#b3261e',
    },
    dark: {
      background: '#141813',
      surface: '#1f251d',
      line: '#3c4538',
      text: '#edf0e6',
      muted: '#b3bba9',
      primary: '#8fd3a8',
      on_primary: '#0b2a18',
      accent: '#f58b58',
      on_accent: '#230c00',
      band: '#1b3628',
      on_band: '#fffdf4',
      positive: '#7fd09b',
      negative: '#ff9b92',
    },
  },
} as const satisfies Record<string, Preset>

/** Color pairs that must be legible, with the minimum contrast (WCAG 2.2: 4.5 for text, 3 for large shapes). */
export const LEGIBLE_PAIRS: readonly (readonly [ColorRole, ColorRole, number])[] = [
  ['text', 'background', 4.5],
  ['text', 'surface', 4.5],
  ['muted', 'background', 4.5],
  ['muted', 'surface', 4.5],
  ['primary', 'background', 4.5],
  ['primary', 'surface', 4.5],
  ['on_primary', 'primary', 4.5],
  ['on_accent', 'accent', 4.5],
  ['on_band', 'band', 4.5],
  ['accent', 'band', 3],
  ['positive', 'background', 3],
  ['positive', 'surface', 3],
  ['negative', 'background', 4.5],
  ['negative', 'surface', 4.5],
]
