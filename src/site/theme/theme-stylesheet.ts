import { sha256Hex } from '../../lib/canonical-json.ts'
import type { Colors, Preset } from './presets.ts'
import { resolveTheme } from './theme.ts'
import type { ThemeSettings } from './theme-keys.ts'

/** The custom properties that src/styles use, as a file of the release: named by its content, so kept for ever. */
export interface ThemeStylesheet {
  path: string
  css: string
}

const FAMILIES: Record<Preset['fonts'], { heading: string; text: string }> = {
  grotesque: {
    heading: '"Bricolage Grotesque","Bricolage Fallback",system-ui,sans-serif',
    text: 'Figtree,"Figtree Fallback",system-ui,sans-serif',
  },
  slab: {
    heading: '"Zilla Slab","Zilla Fallback",Georgia,serif',
    text: 'Figtree,"Figtree Fallback",system-ui,sans-serif',
  },
  system: { heading: 'system-ui,sans-serif', text: 'system-ui,sans-serif' },
}

export function themeStylesheet(settings: ThemeSettings): ThemeStylesheet {
  const { fonts, radius, light, dark } = resolveTheme(settings)
  const { heading, text } = FAMILIES[fonts]
  const root = [
    'color-scheme:light dark',
    ...colorProperties(light),
    `--radius:${radius}px`,
    `--radius-small:${Math.round(radius * 0.6)}px`,
    `--heading:${heading}`,
    `--text-font:${text}`,
  ]
  const css = `:root{${root.join(';')}}\n@media(prefers-color-scheme:dark){:root{${colorProperties(dark).join(';')}}}\n`
  return { path: `/_astro/theme-${sha256Hex(css).slice(0, 12)}.css`, css }
}

function colorProperties(colors: Colors): string[] {
  return Object.entries(colors).map(([role, color]) => `--${role.replace('_', '-')}:${color}`)
}
