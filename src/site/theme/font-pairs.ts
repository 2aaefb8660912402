import type { FontPair, SiteFont } from './fonts.ts'
import { LOOKS } from './looks.ts'

const FIGTREE: SiteFont = {
  name: 'Figtree',
  file: '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
  weight: '300 900',
  fallback: 'sans-serif',
}
const BRICOLAGE: SiteFont = {
  name: 'Bricolage Grotesque',
  file: '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff2',
  weight: '700',
  fallback: 'sans-serif',
}
const ZILLA: SiteFont = {
  name: 'Zilla Slab',
  file: '@fontsource/zilla-slab/files/zilla-slab-latin-700-normal.woff2',
  weight: '700',
  fallback: 'serif',
}
const from = import.meta.filename

/** Fonts for headings and text, by name; null loads none. A look may add a pair with its own name. */
export const FONT_PAIRS: ReadonlyMap<string, FontPair | null> = new Map<string, FontPair | null>([
  ['grotesque', { from, heading: BRICOLAGE, text: FIGTREE }],
  ['slab', { from, heading: ZILLA, text: FIGTREE }],
  ['system', null],
  ...LOOKS.flatMap(({ name, pair }) => (pair ? [[name, pair] as const] : [])),
])
