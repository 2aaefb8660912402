import { join } from 'node:path'
import { isMissing } from '../../lib/is-missing.ts'
import type { Release } from '../release/release.ts'
import { openMoved, packMoved } from './moved-address-store.ts'
import type { MovedAddress } from './page-addresses.ts'

// Lines of nginx `map` blocks, `/old /new;` and `/old 1;`, in the order of their text.
// nginx compares without case, and does not start with two spellings of one address: they are in lower case.
const REDIRECTS = '../redirects.map'
const GONE = '../gone.map'
// The file that Netlify and Cloudflare Pages read. It does not exist when nothing is redirected.
const STATIC_HOST_REDIRECTS = '_redirects'
// The file that the server searches.
const LOOKUP = '../moved.db'

/** The files of redirects and gone addresses, by their paths below `site`. */
export const MOVED_FILES = [REDIRECTS, GONE, STATIC_HOST_REDIRECTS, LOOKUP]

/** The files that say where the addresses without a page lead. */
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

// The first spelling with a target counts.
function inLowerCase(moved: readonly MovedAddress[]): readonly MovedAddress[] {
  if (moved.every(({ path }) => path === path.toLowerCase())) return moved
  const targets = new Map<string, string | null>()
  for (const { path, to } of moved) {
    const key = path.toLowerCase()
    targets.set(key, targets.get(key) ?? to)
  }
  return [...targets].map(([path, to]) => ({ path, to })).sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Looks addresses up in a release. Memory stays flat with a million of them. */
export type MovedAddresses = ReturnType<typeof openMovedAddresses>

export function openMovedAddresses({ siteDir }: Pick<Release, 'siteDir'>) {
  const file = join(siteDir, LOOKUP)
  const lookup = isMissing(file) ? undefined : openMoved(file)
  return {
    /**
     * Finds the target of an address in any case: `null` when its page is gone for good, undefined when no page was
     * ever there.
     */
    find: (path: string): string | null | undefined => lookup?.find(path.toLowerCase()),
    close(): void {
      lookup?.close()
    },
  }
}
