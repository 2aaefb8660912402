import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../lib/canonical-json.ts'
import { PROGRAM_DIR } from '../../lib/program/folders.ts'
import { FONT_PAIRS } from './font-pairs.ts'
import { fontVariable, type SiteFont } from './fonts.ts'
import { type Look, lookOf, resolveTheme } from './looks.ts'
import type { Colors } from './presets.ts'
import type { ThemeSettings } from './theme-keys.ts'

/**
 * All styles of the program on public pages, as a file of the release, named by a hash of its content so that it can
 * be cached forever.
 */
export interface ThemeStylesheet {
  path: string
  css: string
  /** The custom properties alone, outside any layer. */
  rules: string
}

const STYLES = join(PROGRAM_DIR, 'src/styles')
// Styles of single components, by component name.
const ROLES = join(STYLES, 'roles')

// Later layers override earlier ones, whatever the selectors. A site's own styles are outside the layers and
// override all of them.
const LAYERS = '@layer signpost.reset,signpost.theme,signpost.base,signpost.components,signpost.look,site;'
// `#ffffff`, which is also `#fff`.
const LONG_HEX = /^#(\w)\1(\w)\2(\w)\3$/
const RESET = ['reset']
const BASE = ['base', 'prose']
const BEFORE_ROLES = ['form', 'brand', 'frame']
const AFTER_ROLES = ['parts', 'pictures', 'places', 'print']

export function themeStylesheet(settings: ThemeSettings): ThemeStylesheet {
  const { fonts, radius, light, dark } = resolveTheme(settings)
  const pair = FONT_PAIRS.get(fonts)
  const root = [
    'color-scheme:light dark',
    ...colorProperties(light),
    `--radius:${radius}px`,
    '--radius-small:calc(var(--radius)*.6)',
    `--heading:${familyOf(pair?.heading)}`,
    `--text-font:${familyOf(pair?.text)}`,
  ]
  const rules = `:root{${root.join(';')}}\n@media(prefers-color-scheme:dark){:root{${colorProperties(dark).join(';')}}}`
  const look = lookOf(settings.preset)
  const css = [
    LAYERS,
    `@layer signpost.theme{${rules}}`,
    `@layer signpost.reset{${stylesOfSite(RESET)}}`,
    `@layer signpost.base{${stylesOfSite(BASE)}}`,
    `@layer signpost.components{${stylesOfSite(BEFORE_ROLES)}${stylesOfRoles(look)}${stylesOfSite(AFTER_ROLES)}}`,
    ...(look ? [`@layer signpost.look{${stylesOf(look)}}`] : []),
  ].join('\n')
  return { path: `/_astro/theme-${sha256Hex(css).slice(0, 12)}.css`, css, rules }
}

function colorProperties(colors: Colors): string[] {
  return Object.entries(colors).map(
    ([role, color]) => `--${role.replace('_', '-')}:${color.replace(LONG_HEX, '#$1$2$3')}`,
  )
}

// With its fallbacks: src/integration/looks/site-fonts.ts.
function familyOf(font: SiteFont | undefined): string {
  return font ? `var(${fontVariable(font)})` : 'system-ui,sans-serif'
}

// Read each time, because in `npm run dev` they may change while the program runs.
function stylesOfSite(names: readonly string[]): string {
  return names.map((name) => readStyles(join(STYLES, 'site', `${name}.css`))).join('')
}

// If a look replaces a component, the component's styles are left out, unless the look also shows the original.
function stylesOfRoles(look: Look | undefined): string {
  const files = readdirSync(ROLES).sort()
  return files.flatMap((file) => (isReplaced(look, file) ? [] : readStyles(join(ROLES, file)))).join('')
}

function isReplaced(look: Look | undefined, file: string): boolean {
  const name = file.replace('.css', '')
  const component = look?.components.get(name)
  if (component === undefined) return false
  return !new RegExp(`^import (?!type ).*/${name}\\.astro'`, 'm').test(readFileSync(component, 'utf8'))
}

function stylesOf({ folder }: Look): string {
  const files = readdirSync(folder).filter((file) => file.endsWith('.css'))
  return files
    .sort()
    .map((file) => readStyles(join(folder, file)))
    .join('')
}

function readStyles(file: string): string {
  return minify(readFileSync(file, 'utf8'))
}

function minify(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/\s*([{};,>])\s*/g, '$1')
    .replace(/: /g, ':')
    .replace(/ \/ |(?<=@media) (?=\()/g, (found) => found.trim())
    .replace(/(?<![\d.])0\./g, '.')
    .replaceAll(';}', '}')
    .trim()
}
