import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroUserConfig } from 'astro'
import packageFile from '#package.json' with { type: 'json' }
import { IS_INSTALLED, PROGRAM_DIR } from '../lib/program/folders.ts'

type Plugin = Extract<NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>[number], { name: string }>

const SRC = join(PROGRAM_DIR, 'src', '/')
const TEMPLATES =
  /^(admin|assets|components|layouts|pages|styles)\/|^(middleware|server\/bundle-entry)\.[jt]s$/
// Prefix by which a bundle, which is in the folder of the site, imports the program's modules.
const FEATURES = IS_INSTALLED ? 'signpost/src/' : '#src/'
const PACKAGES = new Set(Object.keys(packageFile.dependencies))
const SERVER_ENVIRONMENTS = new Set(['ssr', 'prerender'])
const OWN_SOURCE = /^(\.|#src\/)/
const ADMIN = /src\/(admin|pages\/admin|layouts\/(Admin|Entrance)|styles\/admin)/

/**
 * Replaces the adapter's server entry by our own module: a bundle's exports the page renderer, that of a plain `astro
 * build` starts the server.
 */
export function serverEntry({ isBundle }: { isBundle: boolean }): Plugin {
  const entry = isBundle
    ? new URL('./bundle-entry.ts', import.meta.url)
    : new URL('./prerender/static-entry.ts', import.meta.url)
  const input = { index: fileURLToPath(entry) }
  const output = { entryFileNames: nameScript, chunkFileNames: nameShared }
  return {
    name: 'signpost:server-entry',
    configEnvironment(name) {
      // `findSourcePlace` reads the maps when a page fails.
      if (name === 'ssr') return { build: { rolldownOptions: { input }, sourcemap: isBundle && 'hidden' } }
      return name === 'client' ? { build: { rolldownOptions: { output } } } : undefined
    },
  }
}

/**
 * Templates are bundled, the features they call are not: the server and its pages share one copy of every feature, with
 * its state and its classes. `#src` is the project's own name for its sources (package.json), regardless of the
 * bundle's location.
 */
export function featuresFromSource(): Plugin {
  return {
    name: 'signpost:features-from-source',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!SERVER_ENVIRONMENTS.has(this.environment.name) || !importer || !OWN_SOURCE.test(source))
        return undefined
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      if (!resolved?.id.startsWith(SRC)) return undefined
      const path = resolved.id.slice(SRC.length)
      return TEMPLATES.test(path) ? undefined : { id: `${FEATURES}${path}`, external: true }
    },
  }
}

/**
 * Names the modules of Markdown pages, as Astro does those of its components. Otherwise Astro doesn't know that a page's
 * layout has a head, and writes the head's styles into the header, whose HTML all pages share.
 */
export function namedMarkdown(): Plugin {
  return {
    name: 'signpost:named-markdown',
    transform(code, id) {
      if (!id.endsWith('.md') || !code.includes('const Content = createComponent(')) return undefined
      return { code: `${code}\nContent.moduleId = ${JSON.stringify(id)}\n`, map: null }
    },
  }
}

/** The admin's files are separate from those of public pages: releases don't contain them. */
export function nameAsset({ originalFileNames }: { originalFileNames: string[] }): string {
  const isAdmin = originalFileNames.length > 0 && originalFileNames.every((name) => ADMIN.test(name))
  return isAdmin ? '_admin/[hash][extname]' : '_astro/[hash][extname]'
}

function nameScript({ facadeModuleId }: { facadeModuleId: string | null }): string {
  return ADMIN.test(facadeModuleId ?? '') ? '_admin/[hash].js' : '_astro/[hash].js'
}

// Packages of the program are in scripts of the admin only; others are what a site's own pages use.
function nameShared({ moduleIds }: { moduleIds: string[] }): string {
  const isAdmin = moduleIds.some((id) => ADMIN.test(id) || PACKAGES.has(packageOf(id)))
  return isAdmin ? '_admin/shared.[hash].js' : '_astro/shared.[hash].js'
}

// Of a module in node_modules: `chart.js`, `@kurkle/color`.
function packageOf(id: string): string {
  const [, name = ''] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id) ?? []
  return name.replace('\\', '/')
}
