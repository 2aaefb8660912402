import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AstroUserConfig } from 'astro'
import { sectionName } from '../entries/sections/section-name.ts'
import { PROGRAM_DIR } from '../lib/program/folders.ts'
import { realPath } from '../publish/plan/outside-files.ts'
import { componentPart } from '../publish/render/shown-components.ts'
import { TEMPLATE_PARTS, type TemplateParts } from '../publish/render/template-parts.ts'
import { shortHash } from '../site/content/fingerprint.ts'
import { COMPONENTS, type ComponentName } from './components.ts'
import { createSiteFiles, listUnnoticed, type ReplacingSite } from './site-files.ts'

type Plugin = Extract<NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>[number], { name: string }>

interface Graph {
  importsOf(id: string): readonly string[]
  ids: readonly string[]
}

/** The site's own file of a module, by the module's ID. */
type FileOf = (id: string) => string | undefined

const SECTION = /^src\/components\/sections\/([^/]+)\.astro$/
const OWN_PAGE = /^src\/pages\//
const PAGE = 'page:'

/**
 * Records in the bundle which of the site's files each component, section, and own page consists of, so that a
 * publish renders only the pages affected by a change. Calls `onUnnoticed` with each file whose changes it can't see.
 */
export function noteTemplateParts(
  site: ReplacingSite,
  { folder, onUnnoticed }: { folder: string; onUnnoticed: (file: string) => void },
): Plugin {
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
      for (const file of listUnnoticed(site, graph.ids)) onUnnoticed(file)
    },
  }
}

/**
 * Finds the parts of a module graph. Each consists of what its root imports; for a component, up to other
 * components.
 */
export function findParts(site: ReplacingSite, graph: Graph): TemplateParts {
  const fileOf = createSiteFiles(site)
  const components = componentFiles(site)
  const others = graph.ids.flatMap((id) => rootOf(fileOf, id))
  const roots = new Set([...components, ...others].map(([, id]) => id))
  const files = new Set<string>()
  const hashOf = (id: string, ends: ReadonlySet<string>) => {
    const own = filesFrom(fileOf, graph, { from: id, ends })
    for (const file of own) files.add(file)
    return own.length === 0 ? '' : hashFiles(site, fileOf, own)
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
export function componentFiles({ replaced }: Pick<ReplacingSite, 'replaced'>): [ComponentName, string][] {
  return Object.entries(COMPONENTS).map(([name, path]) => {
    const original = join(PROGRAM_DIR, 'src', path)
    return [name as ComponentName, replaced.get(original) ?? original]
  })
}

// A component's style or script has its own ID with a query.
function rootOf(fileOf: FileOf, id: string): [string, string][] {
  const file = fileOf(id)
  if (file === undefined || id.includes('?')) return []
  const [, section] = SECTION.exec(file) ?? []
  if (section) return [[`section:${sectionName(section)}`, id]]
  return OWN_PAGE.test(file) ? [[PAGE + file, id]] : []
}

function filesFrom(
  fileOf: FileOf,
  graph: Graph,
  { from, ends }: { from: string; ends: ReadonlySet<string> },
): string[] {
  const seen = new Set([from])
  const files = new Set<string>()
  for (const id of seen) {
    const file = fileOf(id)
    if (file !== undefined) files.add(file)
    for (const imported of graph.importsOf(id)) if (!ends.has(imported)) seen.add(imported)
  }
  return [...files].sort()
}

// Includes the replaced names, because swapping two files changes pages too.
function hashFiles({ siteDir, replaced }: ReplacingSite, fileOf: FileOf, files: readonly string[]): string {
  const names = new Map(
    [...replaced].map(([original, path]) => [fileOf(path), original.slice(PROGRAM_DIR.length)]),
  )
  const folder = realPath(siteDir)
  const texts = files.map((file) => [file, names.get(file) ?? '', readFileSync(join(folder, file), 'utf8')])
  return shortHash(JSON.stringify(texts))
}
