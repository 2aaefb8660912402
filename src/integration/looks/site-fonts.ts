import { createRequire } from 'node:module'
import type { AstroIntegration, AstroUserConfig } from 'astro'
import { emitClientAsset } from 'astro/assets/utils'
import { fontProviders } from 'astro/config'
import { shortHash } from '../../site/content/fingerprint.ts'
import { FONT_PAIRS } from '../../site/theme/font-pairs.ts'
import { type FontPair, fontVariable, type SiteFont } from '../../site/theme/fonts.ts'

import { refuseMissingFonts } from './own-font-files.ts'

type Plugin = Extract<NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>[number], { name: string }>
type Families = NonNullable<AstroUserConfig['fonts']>

const STYLES = 'virtual:signpost/fonts.css'
const FILES = 'virtual:signpost/fonts'
// An empty stylesheet would be a file of its own.
const EMPTY_MODULE = '\0signpost:no-font-styles'
const ASTRO_FONTS = 'virtual:astro:assets/fonts/internal'

/**
 * Registers the fonts of all looks with Astro, which makes fallbacks with matching metrics. The rules of each pair
 * are a stylesheet: `<Font>` would write them into the page itself. A site's own font with the property
 * `--heading` or `--text-font` replaces the look's. Throws if a file of one is missing.
 */
export function siteFonts(): AstroIntegration {
  return {
    name: 'signpost:fonts',
    hooks: {
      'astro:config:setup'({ config, updateConfig }) {
        refuseMissingFonts(config.root, config.fonts)
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
  let isBuild = true
  // Rules of each font, by its custom property.
  async function rulesOf(context: unknown): Promise<Map<string, string>> {
    const { code } = await astroFonts.load.handler.call(context, `\0${ASTRO_FONTS}`)
    const [, entries = '[]'] = /new Map\((\[.*\])\)/.exec(code) ?? []
    const all = JSON.parse(entries) as [string, { css: string }][]
    return new Map(all.map(([name, { css }]) => [name, shorten(css)]))
  }
  return {
    name: 'signpost:fonts',
    configResolved({ plugins, command }) {
      isBuild = command === 'build'
      astroFonts = plugins.find(({ name }) => name === 'astro:fonts') as unknown as typeof astroFonts
    },
    resolveId(source) {
      if (source === STYLES) return isBuild ? EMPTY_MODULE : `\0${source}`
      return source === FILES ? `\0${source}` : undefined
    },
    async load(id) {
      if (id === EMPTY_MODULE) return ''
      if (id === `\0${STYLES}`) return inLayer([...(await rulesOf(this)).values()])
      if (id !== `\0${FILES}`) return undefined
      const rules = isBuild ? await rulesOf(this) : new Map<string, string>()
      const stylesheets = [...FONT_PAIRS.keys()].map((name) => {
        const variables = new Set([...variablesOf(name, own), ...own])
        const source = inLayer([...variables].flatMap((variable) => rules.get(variable) ?? []))
        if (source === '') return [name, null]
        const fileName = `_astro/fonts-${shortHash(source).slice(0, 8)}.css`
        emitClientAsset(this as never, { type: 'asset', fileName, source })
        return [name, `/${fileName}`]
      })
      return filesSource(own, Object.fromEntries(stylesheets))
    },
  }
}

function inLayer(rules: readonly string[]): string {
  return rules.length > 0 ? `@layer signpost.base{${rules.join('')}}` : ''
}

// Family names without Astro's hash, and metric-compatible replacements for fonts that Linux doesn't have.
function shorten(css: string): string {
  return css
    .replace(/-[0-9a-f]{16}(?=["\s,;])/g, '')
    .replace(/font-style:\s*normal;/g, '')
    .replace(/\s*\n\s*/g, '')
    .replace(/(\d\.\d)\d+%/g, '$1%')
    .replace(/local\("?(Arial|Times New Roman)( Bold)?"?\)/g, (all, name: string, bold = '') => {
      const twin = name === 'Arial' ? 'Liberation Sans' : 'Liberation Serif'
      return `${all},local("${twin}${bold}")`
    })
}

// Of headings and text: a font of the site's own takes the place of the pair's.
function variablesOf(pairName: string, own: readonly string[]): string[] {
  const pair = FONT_PAIRS.get(pairName)
  return (['heading', 'text'] as const).flatMap((role) => {
    const property = role === 'heading' ? '--heading' : '--text-font'
    if (own.includes(property)) return [property]
    return pair ? [fontVariable(pair[role])] : []
  })
}

function filesSource(own: readonly string[], stylesheets: Readonly<Record<string, string | null>>): string {
  const variables = [...FONT_PAIRS.keys()].map((name) => [name, variablesOf(name, own)])
  return `import { componentDataByCssVariable } from '${ASTRO_FONTS}'
const urls = (names) => names.flatMap((name) => (componentDataByCssVariable.get(name)?.preloads ?? []).map(({ url }) => url))
export const FONT_FILES = Object.fromEntries(${JSON.stringify(variables)}.map(([pair, names]) => [pair, [...new Set(urls(names))]]))
export const FONT_STYLES = ${JSON.stringify(stylesheets)}`
}
