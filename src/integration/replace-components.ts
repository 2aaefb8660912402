import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration, AstroUserConfig } from 'astro'
import { makeFolder } from '../lib/make-folder.ts'
import { Failure } from '../lib/messages.ts'
import { nearNames } from '../lib/names/near-names.ts'
import { IS_INSTALLED, PROGRAM_DIR } from '../lib/program/folders.ts'
import { integrationTexts } from '../messages/command-line/integration.ts'
import { BUNDLE_NOTES } from '../publish/render/bundle-notes.ts'
import { LOOKS } from '../site/theme/looks.ts'
import { COMPONENTS, type ComponentName } from './components.ts'
import {
  choiceFor,
  choiceSource,
  isChoice,
  isVariant,
  type LookComponents,
  lookComponents,
} from './looks/look-components.ts'
import { noteComponents } from './note-components.ts'
import { componentFiles, noteTemplateParts } from './template-parts.ts'
import { checkOverrides } from './upgrades/check-overrides.ts'
import { listReplacements } from './upgrades/list-replacements.ts'

type Plugin = Extract<NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>[number], { name: string }>

/**
 * The site's own files, relative to its folder (`./src/components/Header.astro`), by the name of the component each
 * replaces.
 */
export type ComponentOverrides = Partial<Record<ComponentName, string>>

/** The integration's property that lists replacements; `signpost upgrade` reads it from the configuration. */
export const OVERRIDES = Symbol.for('signpost.overrides')

const OWN_STYLES = join(PROGRAM_DIR, 'src', 'styles', 'own.css')
// In place of an empty stylesheet, which each page would load.
const NO_STYLES = '\0signpost:no-styles'
const REPLACED = /\.astro$|\/own\.css$/

/**
 * Substitutes the site's component wherever the program or the site imports the one it replaces. Inside the
 * replacement, the import resolves to the original. Also loads a site's `src/styles/site.css` on every public page.
 * Throws if a name is unknown, or a file is missing or not an `.astro` file.
 */
export function replaceComponents(
  overrides: ComponentOverrides,
): AstroIntegration & Record<typeof OVERRIDES, ComponentOverrides> {
  let doubts: string[] = []
  return {
    [OVERRIDES]: overrides,
    name: 'signpost:components',
    hooks: {
      'astro:config:setup'({ config, updateConfig, addWatchFile, logger }) {
        const root = fileURLToPath(config.root)
        const replaced = filesByOriginal(root, overrides)
        for (const file of replaced.values()) addWatchFile(file)
        doubts = checkOverrides(root, listReplacements(root, overrides, LOOKS))
        for (const doubt of doubts) logger.warn(doubt)
        const styles = fileURLToPath(new URL('styles/site.css', config.srcDir))
        replaced.set(OWN_STYLES, IS_INSTALLED && existsSync(styles) ? styles : NO_STYLES)
        updateConfig({ vite: { plugins: [resolveReplaced(replaced, lookComponents())] } })
        const onUnnoticed = (file: string) => {
          const doubt = integrationTexts.changesUnnoticed(file)
          doubts.push(doubt)
          logger.warn(doubt)
        }
        if (IS_INSTALLED) updateConfig({ vite: { plugins: pluginsOfSite(root, replaced, onUnnoticed) } })
      },
      'astro:build:done'() {
        noteDoubts(doubts)
      },
    },
  }
}

function pluginsOfSite(
  root: string,
  replaced: ReadonlyMap<string, string>,
  onUnnoticed: (file: string) => void,
): Plugin[] {
  const { BUNDLE_DIR: folder } = process.env
  const site = { siteDir: root.replace(/[\\/]$/, ''), replaced }
  return folder === undefined
    ? [noteComponents(site.siteDir, [])]
    : [noteComponents(site.siteDir, componentFiles(site)), noteTemplateParts(site, { folder, onUnnoticed })]
}

function filesByOriginal(root: string, overrides: ComponentOverrides): Map<string, string> {
  const files = Object.entries(overrides).map(([name, path]): [string, string] => {
    const original = originalOf(name)
    if (typeof path !== 'string') throw new Failure(integrationTexts, 'notAPath', name)
    const file = resolve(root, path)
    refuseUnusable(name, file)
    return [original, file]
  })
  return new Map(files)
}

// Only Astro's compiler makes components whose use is recorded.
function refuseUnusable(name: string, file: string) {
  const found = statSync(file, { throwIfNoEntry: false })
  const isAstro = file.endsWith('.astro') && (!found || found.isFile())
  if (!isAstro) throw new Failure(integrationTexts, 'notAComponent', name, file)
  if (!found) throw new Failure(integrationTexts, 'fileMissing', name, file)
}

// Every later start and build prints them, because the bundle is kept.
function noteDoubts(doubts: readonly string[]) {
  const { BUNDLE_DIR: folder } = process.env
  if (folder === undefined || doubts.length === 0) return
  makeFolder(folder)
  writeFileSync(join(folder, BUNDLE_NOTES), JSON.stringify(doubts))
}

function originalOf(name: string): string {
  if (isComponent(name)) return join(PROGRAM_DIR, 'src', COMPONENTS[name])
  const names = Object.keys(COMPONENTS)
  throw new Failure(integrationTexts, 'nameUnknown', name, nearNames(name, names)[0], names.join(', '))
}

function isComponent(name: string): name is ComponentName {
  return Object.hasOwn(COMPONENTS, name)
}

// The repository doesn't contain itself as a package, but `looks/` import from it.
function fromRepository(source: string): string {
  const [, name = ''] = /^signpost\/components\/(\w+)\.astro$/.exec(source) ?? []
  return isComponent(name) ? originalOf(name) : source
}

// A site's replacement takes precedence over a look's and gets the look's component as its original. The look's
// component gets the program's, or the two would include each other.
function resolveReplaced(replaced: ReadonlyMap<string, string>, looks: LookComponents): Plugin {
  return {
    name: 'signpost:components',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!importer || !REPLACED.test(source)) return undefined
      const path = IS_INSTALLED ? source : fromRepository(source)
      const resolved = await this.resolve(path, importer, { ...options, skipSelf: true })
      const [importing = ''] = importer.split('?')
      if (!resolved || isChoice(importing) || isVariant(looks, resolved.id, importing)) return resolved
      const replacement = replaced.get(resolved.id)
      if (replacement !== undefined && replacement !== importing) return replacement
      return choiceFor(looks, resolved.id, importing) ?? resolved
    },
    load(id) {
      if (id === NO_STYLES) return ''
      return isChoice(id) ? choiceSource(looks, id) : undefined
    },
  }
}
