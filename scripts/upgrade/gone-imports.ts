import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '../../src/lib/is-missing.ts'
import { namesIn } from './exported-names.ts'

/** Modules and names that sites can import from a version of the package. */
export interface PublicExports {
  /** Modules: `./components/Header.astro`. */
  modules: ReadonlySet<string>
  /** Names of functions and types by module, such as `./content`, of those that are known. */
  names: ReadonlyMap<string, ReadonlySet<string>>
}

/** A module that a file imports from the package, or a name in one. */
interface GoneImport {
  file: string
  module: string
  name?: string
}

const SOURCE = /\.(?:astro|[cm]?[jt]sx?|mdx)$/
const NAMED =
  /\b(?:import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\s*['"](signpost\/[^'"]+)['"]/g

/** Lists what a site's sources import from the package that these exports no longer contain. */
export function listGoneImports(siteDir: string, exports: PublicExports): GoneImport[] {
  return ['src', 'looks'].flatMap((folder) =>
    listSources(siteDir, folder).flatMap((file) => {
      const text = readFileSync(join(siteDir, file), 'utf8')
      return [...listModules(text, exports), ...listNames(text, exports)].map((gone) => ({ file, ...gone }))
    }),
  )
}

function listModules(text: string, { modules }: PublicExports): Omit<GoneImport, 'file'>[] {
  const found = [...text.matchAll(/['"](signpost(?:\/[^'"]+)?)['"]/g)].map(([, module = '']) => module)
  return found
    .filter((module) => !modules.has(keyOf(module)) && !module.startsWith('signpost/src/'))
    .map((module) => ({ module }))
}

function listNames(text: string, { names }: PublicExports): Omit<GoneImport, 'file'>[] {
  return [...text.matchAll(NAMED)].flatMap(([, braces = '', module = '']) => {
    const known = names.get(keyOf(module))
    return known ? namesIn(braces).flatMap(({ name }) => (known.has(name) ? [] : [{ module, name }])) : []
  })
}

function keyOf(module: string): string {
  return module.replace(/^signpost/, '.')
}

function listSources(siteDir: string, folder: string): string[] {
  if (isMissing(join(siteDir, folder))) return []
  const files = readdirSync(join(siteDir, folder), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => SOURCE.test(file))
    .sort()
    .map((file) => join(folder, file))
}
