import { sha256Hex } from '../../lib/canonical-json.ts'
import type { Colors, Preset } from './presets.ts'
import { resolveTheme } from './theme.ts'
import type { ThemeSettings } from './theme-keys.ts'

/** The custom properties that src/styles use, as a file of the release: named by its content, so kept forever. */
export interface ThemeStylesheet {
  path: string
  css: string
  /** The same rules outside of their layer. */
  rules: string
}

// A page may load this file first: the one that names the layers first decides their order (src/styles/site.css).
const LAYERS = '@layer signpost.reset,signpost.theme,signpost.base,signpost.components,site;'

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
  const rules = `:root{${root.join(';')}}\n@media(prefers-color-scheme:dark){:root{${colorProperties(dark).join(';')}}}`
  const css = `${LAYERS}\n@layer signpost.theme{${rules}}\n`
  return { path: `/_astro/theme-${sha256Hex(css).slice(0, 12)}.css`, css, rules }
}

function colorProperties(colors: Colors): string[] {
  return Object.entries(colors).map(([role, color]) => `--${role.replace('_', '-')}:${color}`)
}
