import { z } from 'zod'
import { rule } from '../../messages/files/rules/schema-rule.ts'
import { field } from '../settings/setting-field.ts'
import { HEX_COLOR } from './color.ts'
import { COLOR_ROLES, FONT_PAIRS, PRESETS } from './presets.ts'

const MAX_RADIUS = 32
const PRESET_NAMES = Object.keys(PRESETS) as (keyof typeof PRESETS)[]

const color = z.string().regex(HEX_COLOR, rule('color'))
const colors = z.strictObject(
  Object.fromEntries(COLOR_ROLES.map((role) => [role, field(color.exactOptional())])) as ColorShape,
)

type ColorShape = Record<(typeof COLOR_ROLES)[number], z.ZodExactOptional<typeof color>>

/** `theme` of `content/site.yaml`, key by key. */
export const themeKeys = z.strictObject({
  /** The look to start from. */
  preset: field(z.enum(PRESET_NAMES).default('bluebonnet'), { section: 'look' }),
  fonts: field(z.enum(FONT_PAIRS).exactOptional(), { section: 'look' }),
  /** The radius of cards, in pixels. */
  radius: field(z.number().int().min(0).max(MAX_RADIUS).exactOptional(), { section: 'look' }),
  colors: colors.exactOptional(),
  /** For visitors whose device is set to dark; what follows from `colors` need not be repeated. */
  dark_colors: colors.exactOptional(),
})

export type ThemeSettings = z.output<typeof themeKeys>
