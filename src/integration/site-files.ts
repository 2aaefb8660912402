import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { listOutsideFiles, realPath, siteFile } from '../publish/plan/outside-files.ts'

/** A site with its replaced components. */
export interface ReplacingSite {
  siteDir: string
  /** The site's file for the program's file that it replaces. */
  replaced: ReadonlyMap<string, string>
}

type FileOf = (id: string) => string | undefined

const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/
// By the folder itself or the lock file; Astro generates the files in `.astro`.
const COVERED = /^(?:src|\.astro)\/|(?:^|\/)node_modules\//

/**
 * Returns the function that finds the site's own file of a module, relative to the site's folder. It returns undefined
 * for files of the program, of looks, and of packages, except packages with replaced components.
 */
export function createSiteFiles({ siteDir, replaced }: ReplacingSite): FileOf {
  const packages = new Set([...replaced.values()].map(packageOf))
  const known = new Map<string, string | undefined>()
  const find = (path: string) => {
    const inPackage = packageOf(path)
    if (!isAbsolute(path) || (inPackage !== undefined && !packages.has(inPackage))) return undefined
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? siteFile(siteDir, path) : undefined
  }
  return (id) => {
    const [path = ''] = id.split('?')
    if (!known.has(path)) known.set(path, find(path))
    return known.get(path)
  }
}

/** Lists the modules outside `src` whose changes no publish notices, because no file of the site names their path. */
export function listUnnoticed(site: ReplacingSite, ids: readonly string[]): string[] {
  const noticed = new Set(listOutsideFiles(site.siteDir))
  const files = ids.map(createSiteFiles(site)).filter((file) => file !== undefined)
  return [...new Set(files)].filter((file) => !COVERED.test(file) && !noticed.has(file)).sort()
}

function packageOf(path: string): string | undefined {
  return PACKAGE.exec(realPath(path))?.[1]
}
