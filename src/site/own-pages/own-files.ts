import { existsSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { isMissing } from '../../lib/is-missing.ts'
import { PROGRAM_DIR } from '../../lib/program/folders.ts'

// As in Astro, files whose names start with `_` aren't pages.
const ROUTE_FILE = /(?:^|[\\/])[^_\\/][^\\/]*\.(?:astro|mdx?|html|[jt]s)$/

// An endpoint's file has the whole address: `feed.xml.ts`.
const EXTENSIONS = ['.astro', '.md', '.mdx', '.html', '.ts', '.js']

/**
 * Returns true if a site has pages of its own in `src/pages`. The program's own repository has none besides the
 * program's.
 */
export function hasOwnPages(siteDir: string): boolean {
  const folder = join(siteDir, 'src', 'pages')
  if (siteDir === PROGRAM_DIR || isMissing(folder)) return false
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((file) => ROUTE_FILE.test(file))
}

/** Returns true if a file in `src/pages` is the page at a path, without placeholders in its name. */
export function hasOwnPageAt(siteDir: string, path: string): boolean {
  const folder = join(siteDir, 'src', 'pages')
  if (siteDir === PROGRAM_DIR || path.split('/').some((part) => /^[._]/.test(part))) return false
  return ['', '/index'].some((end) =>
    EXTENSIONS.some((one) => existsSync(join(folder, `${path}${end}${one}`))),
  )
}

/** Lists the files in a site's `public` folder by their path in it, such as `files/brochure.pdf`. */
export function listPublicFiles(publicDir: string): string[] {
  if (isMissing(publicDir)) return []
  return readdirSync(publicDir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(publicDir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}
