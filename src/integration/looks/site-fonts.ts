import { createRequire } from 'node:module'
import type { AstroIntegration, AstroUserConfig } from 'astro'
import { fontProviders } from 'astro/config'
import { FONT_PAIRS } from '../../site/theme/font-pairs.ts'
import { type FontPair, fontVariable, type SiteFont } from '../../site/theme/fonts.ts'

type Plugin = Extract<NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>[number], { name: string }>
type Families = NonNullable<AstroUserConfig['fonts']>

const STYLES = 'virtual:signpost/fonts.css'
const FILES = 'virtual:signpost/fonts'
const ASTRO_FONTS = 'virtual:astro:assets/fonts/internal'

/**
 * Registers the fonts of all looks with Astro, which makes fallbacks with matching metrics. Their rules go into
 * every page's stylesheet: `<Font>` would write them into the page itself. A site's own font with the property
 * `--heading` or `--text-font` replaces the look's.
 */
export function siteFonts(): AstroIntegration {
  return {
    name: 'signpost:fonts',
    hooks: {
      'astro:config:setup'({ config, updateConfig }) {
        const own = (config.fonts ?? []).map(({ cssVariable }) => cssVariable)
        updateConfig({ fonts: familiesOfLooks(), vite: { plugins: [fontModules(own)] } })
      },
    },
  }
}

function familiesOfLooks(): Families {
  const fonts = new Map<string, Families[number]>()
  for (const pair of FONT_PAIRS.values())
    for (const font of pair ? [pair.heading, pair.text] : [])
      fonts.set(fontVariable(font), familyOf(font, pair as FontPair))
  return [...fonts.values()]
}

function familyOf(font: SiteFont, { from }: FontPair): Families[number] {
  const src: [string] = [createRequire(from).resolve(font.file)]
  return {
    provider: fontProviders.local(),
    name: font.name,
    cssVariable: fontVariable(font),
    fallbacks: [font.fallback],
    options: { variants: [{ src, weight: font.weight, style: 'normal' }] },
  } as unknown as Families[number]
}

function fontModules(own: readonly string[]): Plugin {
  let astroFonts: { load: { handler(this: unknown, id: string): Promise<{ code: string }> } }
  return {
    name: 'signpost:fonts',
    configResolved({ plugins }) {
      astroFonts = plugins.find(({ name }) => name === 'astro:fonts') as unknown as typeof astroFonts
    },
    resolveId(source) {
      return source === STYLES || source === FILES ? `\0${source}` : undefined
    },
    async load(id) {
      if (id === `\0${FILES}`) return filesSource(own)
      if (id !== `\0${STYLES}`) return undefined
      const { code } = await astroFonts.load.handler.call(this, `\0${ASTRO_FONTS}`)
      const [, entries = '[]'] = /new Map\((\[.*\])\)/.exec(code) ?? []
      const all = JSON.parse(entries) as [string, { css: string }][]
      return `@layer signpost.base{${all.map(([, { css }]) => shorten(css)).join('')}}`
    },
  }
}

// Family names without Astro's hash, and metric-compatible replacements for fonts that Linux doesn't have.
function shorten(css: string): string {
  return css
    .replace(/-[0-9a-f]{16}(?=["\s,;])/g, '')
    .replace(/(\d\.\d)\d+%/g, '$1%')
    .replace(/local\("?(Arial|Times New Roman)( Bold)?"?\)/g, (all, name: string, bold = '') => {
      const twin = name === 'Arial' ? 'Liberation Sans' : 'Liberation Serif'
      return `${all},local("${twin}${bold}")`
    })
}

function filesSource(own: readonly string[]): string {
  const variables = [...FONT_PAIRS].map(([name, pair]) => [
    name,
    (['heading', 'text'] as const).flatMap((role) => {
      const property = role === 'heading' ? '--heading' : '--text-font'
      if (own.includes(property)) return [property]
      return pair ? [fontVariable(pair[role])] : []
    }),
  ])
  return `import { componentDataByCssVariable } from '${ASTRO_FONTS}'
const urls = (names) => names.flatMap((name) => (componentDataByCssVariable.get(name)?.preloads ?? []).map(({ url }) => url))
export const FONT_FILES = Object.fromEntries(${JSON.stringify(variables)}.map(([pair, names]) => [pair, [...new Set(urls(names))]]))`
}
