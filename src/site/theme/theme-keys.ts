import { z } from 'zod'
import type { Rule } from '../../messages/files/rules/rule.ts'
import { rule } from '../../messages/files/rules/schema-rule.ts'
import { field } from '../settings/setting-field.ts'
import { HEX_COLOR } from './color.ts'
import { FONT_PAIRS } from './font-pairs.ts'
import { PRESETS } from './looks.ts'
import { COLOR_ROLES } from './presets.ts'

const MAX_RADIUS = 32

// Aborts, because an unreadable color has no contrast.
const color = z.string().regex(HEX_COLOR, { ...rule('color'), abort: true })
const colors = z.strictObject(
  Object.fromEntries(COLOR_ROLES.map((role) => [role, field(color.exactOptional())])) as ColorShape,
)

type ColorShape = Record<(typeof COLOR_ROLES)[number], z.ZodExactOptional<typeof color>>

/** `theme` of `content/site.yaml`, key by key. */
export const themeKeys = z.strictObject({
  /** The starting point: a palette of the default look, or another look. */
  preset: field(
    z.enum([...PRESETS.keys()], { error: 'installed_look' satisfies Rule['code'] }).default('bluebonnet'),
    { section: 'look', choices: 'looks' },
  ),
  fonts: field(z.enum([...FONT_PAIRS.keys()]).exactOptional(), { section: 'look' }),
  /** The radius of cards in pixels. */
  radius: field(z.number().int().min(0).max(MAX_RADIUS).exactOptional(), { section: 'look' }),
  colors: colors.exactOptional(),
  /** For visitors with a dark color scheme. Colors derived from `colors` need not be repeated. */
  dark_colors: colors.exactOptional(),
})

export type ThemeSettings = z.output<typeof themeKeys>
