import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { AstroUserConfig } from 'astro'
import { sectionName } from '../entries/sections/section-name.ts'
import { PROGRAM_DIR } from '../lib/program/folders.ts'
import { componentPart } from '../publish/render/shown-components.ts'
import { TEMPLATE_PARTS, type TemplateParts } from '../publish/render/template-parts.ts'
import { shortHash } from '../site/content/fingerprint.ts'
import { COMPONENTS, type ComponentName } from './components.ts'

type Plugin = Extract<NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>[number], { name: string }>

interface Graph {
  importsOf(id: string): readonly string[]
  ids: readonly string[]
}

interface Site {
  siteDir: string
  /** The site's file for the program's file that it replaces. */
  replaced: ReadonlyMap<string, string>
}

const SECTION = /^src\/components\/sections\/([^/]+)\.astro$/
const OWN_PAGE = /^src\/pages\//
const PAGE = 'page:'

/**
 * Records in the bundle which of the site's files each component, section, and own page consists of, so that a
 * publish renders only the pages affected by a change.
 */
export function noteTemplateParts(site: Site, folder: string): Plugin {
  return {
    name: 'signpost:template-parts',
    apply: 'build',
    generateBundle() {
      if (this.environment.name !== 'ssr') return
      const graph = {
        ids: [...this.getModuleIds()],
        importsOf: (id: string) => {
          const found = this.getModuleInfo(id)
          return found ? [...found.importedIds, ...found.dynamicallyImportedIds] : []
        },
      }
      writeFileSync(join(folder, TEMPLATE_PARTS), JSON.stringify(findParts(site, graph)))
    },
  }
}

/**
 * Finds the parts of a module graph. Each consists of what its root imports; for a component, up to other
 * components.
 */
export function findParts(site: Site, graph: Graph): TemplateParts {
  const components = componentFiles(site)
  const others = graph.ids.flatMap((id) => rootOf(site, id))
  const roots = new Set([...components, ...others].map(([, id]) => id))
  const files = new Set<string>()
  const hashOf = (id: string, ends: ReadonlySet<string>) => {
    const own = filesFrom(site, graph, { from: id, ends })
    for (const file of own) files.add(file)
    return own.length === 0 ? '' : hashFiles(site, own)
  }
  // Own pages don't record what they show.
  const pages = new Set(others.map(([, id]) => id))
  const parts = [
    ...components.map(([name, id]) => [componentPart(name), hashOf(id, roots)]),
    ...others.map(([name, id]) => [name, hashOf(id, OWN_PAGE.test(name.slice(PAGE.length)) ? pages : roots)]),
  ]
  return { parts: Object.fromEntries(parts), files: [...files].sort() }
}

/** Lists the file of each replaceable component: the site's own, or the program's. */
export function componentFiles({ replaced }: Pick<Site, 'replaced'>): [ComponentName, string][] {
  return Object.entries(COMPONENTS).map(([name, path]) => {
    const original = join(PROGRAM_DIR, 'src', path)
    return [name as ComponentName, replaced.get(original) ?? original]
  })
}

// A component's style or script has its own ID with a query.
function rootOf(site: Site, id: string): [string, string][] {
  const file = ownFile(site, id)
  if (file === undefined || id.includes('?')) return []
  const [, section] = SECTION.exec(file) ?? []
  if (section) return [[`section:${sectionName(section)}`, id]]
  return OWN_PAGE.test(file) ? [[PAGE + file, id]] : []
}

function filesFrom(
  site: Site,
  graph: Graph,
  { from, ends }: { from: string; ends: ReadonlySet<string> },
): string[] {
  const seen = new Set([from])
  const files = new Set<string>()
  for (const id of seen) {
    const file = ownFile(site, id)
    if (file !== undefined) files.add(file)
    for (const imported of graph.importsOf(id)) if (!ends.has(imported)) seen.add(imported)
  }
  return [...files].sort()
}

// Returns the path below the site's folder; undefined for files outside it.
function ownFile({ siteDir }: Site, id: string): string | undefined {
  const [path = ''] = id.split('?')
  const file = relative(siteDir, path).split(sep).join('/')
  return file.startsWith('src/') ? file : undefined
}

// Includes the replaced names, because swapping two files changes pages too.
function hashFiles({ siteDir, replaced }: Site, files: readonly string[]): string {
  const names = new Map([...replaced].map(([original, file]) => [file, original.slice(PROGRAM_DIR.length)]))
  const texts = files.map((file) => {
    const path = join(siteDir, file)
    return [file, names.get(path) ?? '', readFileSync(path, 'utf8')]
  })
  return shortHash(JSON.stringify(texts))
}
