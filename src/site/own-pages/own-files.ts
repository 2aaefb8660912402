import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '../../lib/is-missing.ts'
import { PROGRAM_DIR } from '../../lib/program/folders.ts'

// As in Astro, files whose names start with `_` aren't pages.
const ROUTE_FILE = /(?:^|[\\/])[^_\\/][^\\/]*\.(?:astro|mdx?|html|[jt]s)$/

/**
 * Returns true if a site has pages of its own in `src/pages`. The program's own repository has none besides the
 * program's.
 */
export function hasOwnPages(siteDir: string): boolean {
  const folder = join(siteDir, 'src', 'pages')
  if (siteDir === PROGRAM_DIR || isMissing(folder)) return false
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((file) => ROUTE_FILE.test(file))
}
