import { join } from 'node:path'
import { isMissing } from '../../lib/is-missing.ts'
import type { Release } from '../release/release.ts'
import { openMoved, packMoved } from './moved-address-store.ts'
import type { MovedAddress } from './page-addresses.ts'

// Lines of nginx `map` blocks, `/old /new;` and `/old 1;`, sorted. nginx ignores case and doesn't start if two
// spellings of one address appear, so they are in lower case.
const REDIRECTS = '../redirects.map'
const GONE = '../gone.map'
// The file read by Netlify and Cloudflare Pages. Missing if nothing is redirected.
const STATIC_HOST_REDIRECTS = '_redirects'
// The file that the server searches.
const LOOKUP = '../moved.db'

/** Files of redirects and gone addresses, by path below `site`. */
export const MOVED_FILES = [REDIRECTS, GONE, STATIC_HOST_REDIRECTS, LOOKUP]

/** Makes the files that say where addresses without a page lead. */
export function movedFiles(moved: readonly MovedAddress[]): Map<string, string | Buffer> {
  const listed = inLowerCase(moved)
  const files = new Map<string, string | Buffer>([
    [LOOKUP, packMoved(listed)],
    [REDIRECTS, listed.map(({ path, to }) => (to ? `${path} ${to};\n` : '')).join('')],
    [GONE, listed.map(({ path, to }) => (to ? '' : `${path} 1;\n`)).join('')],
  ])
  const redirects = moved.map(({ path, to }) => (to ? `${path} ${to} 301\n` : '')).join('')
  return redirects === '' ? files : files.set(STATIC_HOST_REDIRECTS, redirects)
}

// The first spelling with a target wins.
function inLowerCase(moved: readonly MovedAddress[]): readonly MovedAddress[] {
  if (moved.every(({ path }) => path === path.toLowerCase())) return moved
  const targets = new Map<string, string | null>()
  for (const { path, to } of moved) {
    const key = path.toLowerCase()
    targets.set(key, targets.get(key) ?? to)
  }
  return [...targets].map(([path, to]) => ({ path, to })).sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Looks up addresses in a release. Memory stays flat with a million addresses. */
export type MovedAddresses = ReturnType<typeof openMovedAddresses>

export function openMovedAddresses({ siteDir }: Pick<Release, 'siteDir'>) {
  const file = join(siteDir, LOOKUP)
  const lookup = isMissing(file) ? undefined : openMoved(file)
  return {
    /**
     * Finds the target of an address, ignoring case: null if its page is gone for good, undefined if there was never
     * a page.
     */
    find: (path: string): string | null | undefined => lookup?.find(path.toLowerCase()),
    close(): void {
      lookup?.close()
    },
  }
}
