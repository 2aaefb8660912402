import { join } from 'node:path'
import { formerAddressKey } from '../../entries/addresses/former-address.ts'
import { isMissing } from '../../lib/is-missing.ts'
import type { Release } from '../release/release.ts'
import { openMoved, packMoved } from './moved-address-store.ts'
import type { MovedAddress } from './page-addresses.ts'

// Lines of nginx `map` blocks, `/old /new;` and `/old 1;`. nginx ignores the case of ASCII letters and doesn't start
// if two spellings of one address appear, so these letters are in lower case.
const REDIRECTS = '../redirects.map'
const GONE = '../gone.map'
// The file read by Netlify and Cloudflare Pages. Missing if nothing is redirected.
const STATIC_HOST_REDIRECTS = '_redirects'
// The file that the server searches.
const LOOKUP = '../moved.db'
const NOT_ASCII = /\P{ASCII}/u

/** Files of redirects and gone addresses, by path below `site`. */
export const MOVED_FILES = [REDIRECTS, GONE, STATIC_HOST_REDIRECTS, LOOKUP]

/** Makes the files that say where addresses without a page lead. */
export function movedFiles(moved: readonly MovedAddress[]): Map<string, string | Buffer> {
  const listed = byKey(moved, formerAddressKey)
  const others = moved.filter(({ path }) => NOT_ASCII.test(path) && path !== formerAddressKey(path))
  const mapped = byKey([...listed, ...others], inLowerAscii)
  const files = new Map<string, string | Buffer>([
    [LOOKUP, packMoved(listed)],
    [REDIRECTS, mapped.map(({ path, to }) => (to ? `${path} ${to};\n` : '')).join('')],
    [GONE, mapped.map(({ path, to }) => (to ? '' : `${quoted(path)} 1;\n`)).join('')],
  ])
  const redirects = moved
    .flatMap(({ path, to }) => (to ? spellingsOf(path).map((from) => `${from} ${to} 301\n`) : []))
    .join('')
  return redirects === '' ? files : files.set(STATIC_HOST_REDIRECTS, redirects)
}

// Links contain both percent-encodings, `%c3%a9` and `%C3%A9`. Not every host takes them for the same.
function spellingsOf(path: string): string[] {
  if (!NOT_ASCII.test(path)) return [path]
  const encoded = encodeURI(path)
  return [encoded, encoded.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase())]
}

// A custom page can have any name, `/our work`. Only redirects to entries are listed with a target.
function quoted(path: string): string {
  return /[\s;{}"'\\$]/.test(path) ? `"${path.replace(/["\\]/g, '\\$&')}"` : path
}

function inLowerAscii(path: string): string {
  return path.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

// The first spelling with a target wins.
function byKey(moved: readonly MovedAddress[], keyOf: (path: string) => string): readonly MovedAddress[] {
  if (moved.every(({ path }) => path === keyOf(path))) return moved
  const targets = new Map<string, string | null>()
  for (const { path, to } of moved) {
    const key = keyOf(path)
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
     * Finds the target of an address, ignoring case and percent-encoding: null if its page is gone for good, undefined
     * if there was never a page.
     */
    find: (path: string): string | null | undefined => lookup?.find(formerAddressKey(path)),
    close(): void {
      lookup?.close()
    },
  }
}
