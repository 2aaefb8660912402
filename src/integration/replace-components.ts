import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration, AstroUserConfig } from 'astro'
import { Failure } from '../lib/messages.ts'
import { IS_INSTALLED, PROGRAM_DIR } from '../lib/program/folders.ts'
import { integrationTexts } from '../messages/command-line/integration.ts'
import { COMPONENTS, type ComponentName } from './components.ts'

type Plugin = Extract<NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>[number], { name: string }>

/** The site's own files, from its folder (`./src/components/Header.astro`), by the name of the component each replaces. */
export type ComponentOverrides = Partial<Record<ComponentName, string>>

const OWN_STYLES = join(PROGRAM_DIR, 'src', 'styles', 'own.css')
const REPLACED = /\.astro$|\/own\.css$/

/**
 * Gives the site's component wherever the program or the site imports the one it replaces. The replacement itself gets the
 * original. A site's `src/styles/site.css` is loaded on every public page. Throws when a name is unknown or a file is missing.
 */
export function replaceComponents(overrides: ComponentOverrides): AstroIntegration {
  return {
    name: 'signpost:components',
    hooks: {
      'astro:config:setup'({ config, updateConfig, addWatchFile }) {
        const replaced = new Map<string, string>()
        for (const [name, path] of Object.entries(overrides)) {
          const file = resolve(fileURLToPath(config.root), path)
          if (!existsSync(file)) throw new Failure(integrationTexts, 'fileMissing', name, file)
          replaced.set(originalOf(name), file)
          addWatchFile(file)
        }
        const styles = fileURLToPath(new URL('styles/site.css', config.srcDir))
        if (IS_INSTALLED && existsSync(styles)) replaced.set(OWN_STYLES, styles)
        if (replaced.size > 0) updateConfig({ vite: { plugins: [resolveReplaced(replaced)] } })
      },
    },
  }
}

function originalOf(name: string): string {
  if (isComponent(name)) return join(PROGRAM_DIR, 'src', COMPONENTS[name])
  throw new Failure(integrationTexts, 'nameUnknown', name, Object.keys(COMPONENTS).join(', '))
}

function isComponent(name: string): name is ComponentName {
  return Object.hasOwn(COMPONENTS, name)
}

function resolveReplaced(replaced: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'signpost:components',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!importer || !REPLACED.test(source)) return undefined
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      const replacement = resolved && replaced.get(resolved.id)
      const [importing] = importer.split('?')
      return replacement === undefined || replacement === importing ? resolved : replacement
    },
  }
}
