import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chunksOf } from '../../lib/in-parts.ts'
import type { Release } from '../release/release.ts'
import type { MovedAddress } from './page-addresses.ts'

// Lines of nginx `map` blocks, `/old /new;` and `/old 1;`, in the order of their text: the server searches the same files.
// nginx compares without case, and does not start with two spellings of one address: they are in lower case.
const REDIRECTS = 'redirects.map'
const GONE = 'gone.map'
/** Below `site`; what Netlify and Cloudflare Pages read. Not there when nothing is redirected. */
export const STATIC_HOST_REDIRECTS = '_redirects'

// Longer than two lines.
const BLOCK_BYTES = 8_192
const LINES_PER_WRITE = 10_000

/** Writes where the addresses without a page lead into an unfinished release. */
export async function writeMovedAddresses(release: Release, moved: readonly MovedAddress[]): Promise<void> {
  const listed = inLowerCase(moved)
  await writeFile(
    join(release.dir, REDIRECTS),
    linesOf(listed, ({ path, to }) => (to ? `${path} ${to};\n` : '')),
  )
  await writeFile(
    join(release.dir, GONE),
    linesOf(listed, ({ path, to }) => (to ? '' : `${path} 1;\n`)),
  )
  if (moved.every(({ to }) => to === null)) return
  const file = join(release.siteDir, STATIC_HOST_REDIRECTS)
  await writeFile(
    file,
    linesOf(moved, ({ path, to }) => (to ? `${path} ${to} 301\n` : '')),
  )
}

// Of several spellings the first that leads somewhere counts.
function inLowerCase(moved: readonly MovedAddress[]): readonly MovedAddress[] {
  if (moved.every(({ path }) => path === path.toLowerCase())) return moved
  const targets = new Map<string, string | null>()
  for (const { path, to } of moved) {
    const key = path.toLowerCase()
    targets.set(key, targets.get(key) ?? to)
  }
  return [...targets].map(([path, to]) => ({ path, to })).sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Takes them over from another release, where they are the same. */
export async function keepMovedAddresses(from: Release, release: Release): Promise<void> {
  for (const file of [REDIRECTS, GONE]) await copyFile(join(from.dir, file), join(release.dir, file))
  const redirects = join(from.siteDir, STATIC_HOST_REDIRECTS)
  if (existsSync(redirects)) await copyFile(redirects, join(release.siteDir, STATIC_HOST_REDIRECTS))
}

// Some thousand lines at a time: one write for each line would take minutes for a million.
function linesOf(moved: readonly MovedAddress[], lineOf: (address: MovedAddress) => string) {
  return chunksOf(moved, LINES_PER_WRITE).map((chunk) => chunk.map(lineOf).join(''))
}

/** Whether the addresses without a page lead to the same places in both releases. */
export async function hasSameMovedAddresses(a: Release, b: Release): Promise<boolean> {
  return (await isSameIn(a, b, REDIRECTS)) && (await isSameIn(a, b, GONE))
}

/** Whether a file beside the sites says the same in both releases. */
export async function isSameIn(a: Release, b: Release, file: string): Promise<boolean> {
  const [one, other] = await Promise.all(
    [a, b].map(({ dir }) => readFile(join(dir, file)).catch(() => NOTHING)),
  )
  return one?.equals(other ?? NOTHING) === true
}

const NOTHING = Buffer.alloc(0)

/** Looks addresses up in a release. The files are searched, not read: memory stays flat with a million of them. */
export type MovedAddresses = ReturnType<typeof openMovedAddresses>

export function openMovedAddresses(release: Release) {
  const redirects = openMap(join(release.dir, REDIRECTS))
  const gone = openMap(join(release.dir, GONE))
  return {
    /** Where it leads, in whatever case it is written, `null` when its page is gone for good, undefined when no page ever was there. */
    find(path: string): string | null | undefined {
      const key = path.toLowerCase()
      return redirects.find(key) ?? (gone.find(key) === undefined ? undefined : null)
    },
    close(): void {
      redirects.close()
      gone.close()
    },
  }
}

function openMap(file: string) {
  const fd = openIfThere(file)
  const size = fd === undefined ? 0 : fstatSync(fd).size
  return {
    find: (key: string) => (fd === undefined ? undefined : findValue(fd, size, key)),
    close: () => fd !== undefined && closeSync(fd),
  }
}

function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

// Invariant: the line of `key`, if there is one, begins at or after `from` and before `to`, and a line begins at both.
function findValue(fd: number, size: number, key: string): string | undefined {
  let from = 0
  let to = size
  while (to - from > BLOCK_BYTES) {
    const middle = Math.floor((from + to) / 2)
    const text = readText(fd, middle, BLOCK_BYTES)
    const start = text.indexOf('\n') + 1
    if (text.slice(start, text.indexOf(' ', start)) <= key) from = middle + start
    else to = middle + start
  }
  const block = `\n${readText(fd, from, to - from)}`
  const start = block.indexOf(`\n${key} `)
  return start < 0 ? undefined : block.slice(start + key.length + 2, block.indexOf(';', start))
}

function readText(fd: number, position: number, length: number): string {
  const bytes = Buffer.alloc(length)
  return bytes.toString('latin1', 0, readSync(fd, bytes, 0, length, position))
}
