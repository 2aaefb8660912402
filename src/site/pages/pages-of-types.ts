import type { Entry } from '../../entries/entry-store.ts'
import { LOCATION_SERVICES, SERVICES } from '../../entries/types/builtin/slugs.ts'
import type { ContentType } from '../../entries/types/content-type-store.ts'
import type { SiteContent } from '../content/site-content.ts'
import { entryAddress, entryPage } from './entry-page.ts'
import { locationServiceAddress, locationServicePage } from './location-service-page.ts'
import type { Page, PageAddress } from './page.ts'
import { servicePage } from './service-page.ts'

interface PagesOfType {
  address(content: SiteContent, type: ContentType, entry: Entry): PageAddress | undefined
  page(content: SiteContent, type: ContentType, entry: Entry): Page | undefined
}

const OF_ANY: PagesOfType = { address: (_, type, entry) => entryAddress(type, entry), page: entryPage }

// Types whose pages show more than the entry itself.
const OWN: Readonly<Record<string, PagesOfType>> = {
  [SERVICES]: {
    address: (content, type, entry) =>
      content.services.has(entry.id) ? entryAddress(type, entry) : undefined,
    page: (content, _, { id }) => {
      const service = content.services.get(id)
      return service && servicePage(content, service)
    },
  },
  [LOCATION_SERVICES]: {
    address: (content, _, entry) => locationServiceAddress(content, entry),
    page: (content, _, entry) => locationServicePage(content, entry),
  },
}

const pagesOf = (slug: string) => (Object.hasOwn(OWN, slug) ? OWN[slug] : undefined) ?? OF_ANY

/** Returns the address of an entry's page; undefined if it has none. */
export function addressOfEntry(
  content: SiteContent,
  type: ContentType,
  entry: Entry,
): PageAddress | undefined {
  return pagesOf(type.slug).address(content, type, entry)
}

/**
 * Returns the page of one entry; undefined if it has none. Its view depends only on the content, the type, and the
 * entry: a publish skips pages if none of the three changed.
 */
export function pageOfEntry(content: SiteContent, type: ContentType, entry: Entry): Page | undefined {
  return pagesOf(type.slug).page(content, type, entry)
}
