import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../lib/messages.ts'
import { decodedPath } from '../../lib/names/decoded-path.ts'
import { publishFailures } from '../../messages/server/publishing.ts'
import { openMovedAddresses } from '../addresses/moved-addresses.ts'
import { filesAt } from './page-file.ts'
import type { Release } from './release.ts'

/** Addresses that the program answers itself. */
const PROGRAM = /^\/(?:api|admin|health|_admin)(?:\/|$)/
const ASSETS = '/_astro/'
const LISTED_LINKS = 100

/** A link on a page to a missing page. */
export interface BrokenLink {
  page: string
  target: string
}

/**
 * Verifies a finished tree before it goes live: it must have as many pages as were listed, if that number is given, and
 * every asset that a rendered page uses. Throws if something is missing. Returns broken links in texts, which don't
 * stop a publish.
 */
export function verifyRelease(
  release: Release,
  { pages, links }: { pages: number | undefined; links: Iterable<BrokenLink> },
): BrokenLink[] {
  if (pages !== undefined) checkNumber(countPages(release.siteDir), pages)
  const broken: BrokenLink[] = []
  const moved = openMovedAddresses(release)
  try {
    for (const { page, target } of links) {
      if (leadsSomewhere(release, target) || typeof moved.find(target) === 'string') continue
      if (target.startsWith(ASSETS)) throw new Failure(publishFailures, 'fileMissing', page, target)
      if (broken.length < LISTED_LINKS) broken.push({ page, target })
    }
  } finally {
    moved.close()
  }
  return broken
}

function checkNumber(found: number, pages: number): void {
  if (found !== pages) throw new Failure(publishFailures, 'pagesMissing', found, pages)
}

/** Returns whether a release has a page or file at an address, or the program answers it. */
export function leadsSomewhere({ siteDir }: Release, target: string): boolean {
  if (PROGRAM.test(target)) return true
  return filesAt(decodedPath(target)).some((file) =>
    statSync(join(siteDir, file), { throwIfNoEntry: false })?.isFile(),
  )
}

function countPages(folder: string): number {
  let count = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) count += countPages(join(folder, entry.name))
    else if (entry.name.endsWith('.html')) count++
  }
  return count
}
