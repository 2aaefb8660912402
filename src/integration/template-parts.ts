import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { AstroUserConfig } from 'astro'
import { sectionName } from '../entries/sections/section-name.ts'
import { PROGRAM_DIR } from '../lib/program/folders.ts'
import { TEMPLATE_PARTS, type TemplateParts } from '../publish/render/template-parts.ts'
import { shortHash } from '../site/content/fingerprint.ts'
import { COMPONENTS } from './components.ts'

type Plugin = Extract<NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>[number], { name: string }>

interface Graph {
  importsOf(id: string): readonly string[]
  ids: readonly string[]
}

interface Site {
  siteDir: string
  /** The site's file for the file of the program that it replaces. */
  replaced: ReadonlyMap<string, string>
}

const PARTIAL = 'components/partials/'
const SECTION = /^src\/components\/sections\/([^/]+)\.astro$/
const OWN_PAGE = /^src\/pages\//

/**
 * Writes into the bundle which of the site's files each template is made of, so that a publish renders again only the pages
 * of the templates that changed.
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

/** Finds the parts of a module graph. Each is what its root imports, up to the roots of others. */
export function findParts(site: Site, graph: Graph): TemplateParts {
  const roots = new Map(graph.ids.flatMap((id) => rootOf(site, id)))
  const files = new Set<string>()
  const hashOf = (from: readonly string[]) => {
    const own = filesFrom(site, graph, { from, roots })
    for (const file of own) files.add(file)
    return own.length === 0 ? '' : hashFiles(site, own)
  }
  const parts = [...roots].map(([id, name]) => [name, hashOf([id])] as const)
  const shared = hashOf(
    ['components/site/PublicPage.astro', COMPONENTS.Layout].map((path) => actualFile(site, path)),
  )
  return {
    parts: Object.fromEntries(parts.filter(([name, hash]) => hash !== '' || name.startsWith('partial:'))),
    shared,
    files: [...files].sort(),
  }
}

// A style or a script of a component has an ID of its own, with a query.
function rootOf(site: Site, id: string): [string, string][] {
  const partial = Object.values(COMPONENTS).find(
    (path) => path.startsWith(PARTIAL) && actualFile(site, path) === id,
  )
  if (partial) return [[id, `partial:${sectionName(partial.slice(PARTIAL.length).replace('.astro', ''))}`]]
  const file = ownFile(site, id)
  if (file === undefined || id.includes('?')) return []
  const [, section] = SECTION.exec(file) ?? []
  if (section) return [[id, `section:${sectionName(section)}`]]
  return OWN_PAGE.test(file) ? [[id, `page:${file}`]] : []
}

function actualFile({ replaced }: Site, path: string): string {
  const original = join(PROGRAM_DIR, 'src', path)
  return replaced.get(original) ?? original
}

function filesFrom(
  site: Site,
  graph: Graph,
  { from, roots }: { from: readonly string[]; roots: ReadonlyMap<string, string> },
): string[] {
  const seen = new Set(from)
  const files = new Set<string>()
  for (const id of seen) {
    const file = ownFile(site, id)
    if (file !== undefined) files.add(file)
    for (const imported of graph.importsOf(id)) if (!roots.has(imported)) seen.add(imported)
  }
  return [...files].sort()
}

// Below the folder of the site; undefined for what is not its own.
function ownFile({ siteDir }: Site, id: string): string | undefined {
  const [path = ''] = id.split('?')
  const file = relative(siteDir, path).split(sep).join('/')
  return file.startsWith('src/') ? file : undefined
}

// With the names that they replace: two files that change places make other pages.
function hashFiles({ siteDir, replaced }: Site, files: readonly string[]): string {
  const names = new Map([...replaced].map(([original, file]) => [file, original.slice(PROGRAM_DIR.length)]))
  const texts = files.map((file) => {
    const path = join(siteDir, file)
    return [file, names.get(path) ?? '', readFileSync(path, 'utf8')]
  })
  return shortHash(JSON.stringify(texts))
}
