import type { Db } from '../../db/schema.ts'
import { ownContentLabels } from '../../messages/server/own-pages.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import {
  type ContentKey,
  type ContentSource,
  openContentSource,
} from '../../site/own-pages/content-source.ts'
import type { PageSource } from '../../site/sources/page-sources.ts'

const SOURCE_PREFIX = 'own:'

/** Returns the source key of what own pages read. */
export function sourceKeyOf(key: ContentKey): string {
  return SOURCE_PREFIX + key
}

/** Opens the content of a publish for own pages. */
export function contentForOwnPages(
  db: Db,
  content: Pick<SiteContent, 'siteUrl' | 'shownAt' | 'layout'>,
): ContentSource {
  const { siteUrl, shownAt: now } = content
  return openContentSource({ db, siteUrl, now, layout: async () => content.layout })
}

/** The sources of what was read, as stored in the ledger. */
export function sourcesOfReads(source: ContentSource, reads: Iterable<ContentKey>): Promise<PageSource[]> {
  return Promise.all(
    [...reads].map(async (key) => ({
      key: sourceKeyOf(key),
      label: labelOf(key),
      hash: (await source.load(key)).hash,
    })),
  )
}

/** Returns the content that own pages read, from the sources in a ledger. */
export function readsOfSources(sources: Iterable<string>): ContentKey[] {
  return [...sources].flatMap((key) =>
    key.startsWith(SOURCE_PREFIX) ? [key.slice(SOURCE_PREFIX.length) as ContentKey] : [],
  )
}

function labelOf(key: ContentKey): string {
  return key in ownContentLabels
    ? ownContentLabels[key as keyof typeof ownContentLabels]
    : key.slice(key.indexOf(':') + 1)
}
