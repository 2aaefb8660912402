import type { Db } from '../../db/schema.ts'
import { normalizeFormerAddress } from '../../entries/addresses/former-address.ts'
import { streamEntries } from '../../entries/entry-store.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import { addressOfEntry } from '../../site/pages/pages-of-types.ts'
import type { Release } from '../release/release.ts'
import type { BrokenLink } from '../release/verify-release.ts'
import type { Team } from '../render/run-shares.ts'
import { openMovedAddresses } from './moved-addresses.ts'

// In Markdown, in HTML inside it, or as the whole text: (/path), ]: /path, <a href="/path">, /path.
const LINK = /(?:^|\]\(\s*<?|\]:\s+<?|="\s*)(\/[^\s)"#?>]*)/g

/**
 * Lists links in texts to pages that are `gone` with this release and not `known`. The pages with these texts may be
 * unchanged, so they aren't rendered. A text without its own page is identified by its type or taxonomy and its
 * slug; texts from the settings are on the home page.
 */
export async function findLinksToRemoved(
  { db, content }: Team,
  release: Release,
  { gone, known }: { gone: readonly string[]; known: readonly BrokenLink[] },
): Promise<BrokenLink[]> {
  const removed = withoutMoved(release, gone)
  const isKnown = new Set(known.map(({ page, target }) => `${page} ${target}`))
  const broken: BrokenLink[] = []
  if (removed.size === 0) return broken
  for await (const { page, texts } of listTexts(db, content)) {
    const targets = new Set(linksOf(texts, content.siteUrl).filter((target) => removed.has(target)))
    for (const target of targets) if (!isKnown.has(`${page} ${target}`)) broken.push({ page, target })
  }
  return broken
}

async function* listTexts(db: Db, content: SiteContent): AsyncGenerator<{ page: string; texts: unknown }> {
  const { home, navigation } = content.settings
  yield { page: '/', texts: [home, navigation] }
  // A taxonomy with an archive may be one of the first two.
  const trees = new Map([
    ['locations', content.locations],
    ['service_categories', content.serviceCategories],
    ...content.archives.map(({ taxonomy, tree }) => [taxonomy.slug, tree] as const),
  ])
  for (const [taxonomy, { byId }] of trees)
    for (const { slug, description } of byId.values())
      yield { page: `${taxonomy}/${slug}`, texts: description }
  for (const type of content.types.values()) {
    for await (const batch of streamEntries(db, type.id, { shownAt: content.shownAt, textHas: '/' }))
      for (const entry of batch)
        yield {
          page: addressOfEntry(content, type, entry)?.path ?? `${type.slug}/${entry.slug}`,
          texts: [entry.body, entry.data],
        }
  }
}

// Except those that redirect to the page's current address.
function withoutMoved(release: Release, gone: readonly string[]): Set<string> {
  const moved = openMovedAddresses(release)
  const removed = gone.filter((path) => typeof moved.find(path) !== 'string')
  moved.close()
  return new Set(removed)
}

// A text, or all texts in a list or object.
function linksOf(texts: unknown, siteUrl: string): string[] {
  if (typeof texts === 'string')
    return [...texts.replaceAll(`${siteUrl}/`, '/').matchAll(LINK)].map(([, target = '']) =>
      normalizeFormerAddress(target),
    )
  return typeof texts === 'object' && texts !== null
    ? Object.values(texts).flatMap((part) => linksOf(part, siteUrl))
    : []
}
