import { streamEntries } from '../entries/entry-store.ts'
import { addressOfEntry } from '../site/list-pages.ts'
import { openMovedAddresses } from './moved-addresses.ts'
import { linesOf } from './page-record.ts'
import { parseChange } from './plan-release.ts'
import { type Release, releaseFile } from './release.ts'
import type { Team } from './run-shares.ts'
import type { BrokenLink } from './verify-release.ts'

// In Markdown, or in the HTML that it may have: (/path), ]: /path, <a href="/path">.
const LINK = /(?:\]\(\s*<?|\]:\s+<?|="\s*)(\/[^\s)"#?>]*)/g

/**
 * Links of texts to pages that a release no longer has and that are not `known`. The pages with these texts may be what
 * they were, and are not rendered then. A text without a page of its own is named by its type and slug.
 */
export async function findLinksToRemoved(
  { db, content }: Team,
  release: Release,
  known: readonly BrokenLink[],
): Promise<BrokenLink[]> {
  const removed = removedPaths(release)
  for (const { target } of known) removed.delete(target)
  const broken: BrokenLink[] = []
  if (removed.size === 0) return broken
  for (const type of content.types.values()) {
    const entries = streamEntries(db, type.id, { shownAt: content.shownAt, bodyHas: '/' })
    for await (const batch of entries) {
      for (const entry of batch) {
        const targets = linksOf(entry.body).filter((target) => removed.has(target))
        const page = addressOfEntry(content, type, entry)?.path ?? `${type.slug}/${entry.slug}`
        broken.push(...targets.map((target) => ({ page, target })))
      }
    }
  }
  return broken
}

// But for those that lead to where the page is now.
function removedPaths(release: Release): Set<string> {
  const removed = new Set<string>()
  const moved = openMovedAddresses(release)
  for (const line of linesOf(releaseFile(release, 'changes.tsv'))) {
    const { change, path } = parseChange(line)
    if (change === 'removed' && typeof moved.find(path) !== 'string') removed.add(path)
  }
  moved.close()
  return removed
}

function linksOf(text: string): string[] {
  return [...new Set([...text.matchAll(LINK)].map(([, target = '']) => target))]
}
