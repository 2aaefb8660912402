import type { Db } from '../db/schema.ts'
import type { ContentType } from '../entries/content-type-store.ts'
import { type Entry, streamEntries } from '../entries/entry-store.ts'
import { entryPage } from './entry-page.ts'
import { formPage, thanksPage } from './form-pages.ts'
import { homePage } from './home-page.ts'
import { locationServicePage } from './location-service-page.ts'
import { errorPages } from './message-page.ts'
import type { Page } from './page.ts'
import { serviceIndexPage, servicePage } from './service-page.ts'
import { loadSiteContent, type SiteContent } from './site-content.ts'

/**
 * Every public page (contract §4) at a moment, the present unless said otherwise. Streamed: entries are read in batches, so memory does not grow with their number.
 * Throws when two pages have one address.
 */
export async function* listPages(db: Db, options: { siteUrl: string; now?: Date }): AsyncGenerator<Page> {
  const content = await loadSiteContent(db, options)
  const owners = new Map<string, string>()
  for await (const page of pagesOf(db, content)) {
    const owner = owners.get(page.path)
    if (owner !== undefined) throw new Error(sameAddress(page.path, owner, page.view.head.title))
    owners.set(page.path, page.view.head.title)
    yield page
  }
}

function sameAddress(path: string, first: string, second: string) {
  return `Two pages have the address ${path}: "${first}" and "${second}". Change the slug of one`
}

async function* pagesOf(db: Db, content: SiteContent): AsyncGenerator<Page> {
  yield homePage(content)
  yield serviceIndexPage(content)
  yield* formPages(content)
  yield* errorPages(content.layout)
  for (const type of content.types.values()) {
    if (type.isRoutable) yield* pagesOfType(db, content, type)
  }
}

function* formPages(content: SiteContent): Generator<Page> {
  for (const form of content.forms.values()) {
    if (form.status !== 'active') continue
    yield formPage(content.layout, form)
    yield thanksPage(content.layout, form)
  }
}

async function* pagesOfType(db: Db, content: SiteContent, type: ContentType): AsyncGenerator<Page> {
  for await (const batch of streamEntries(db, type.id, { shownAt: content.shownAt })) {
    for (const entry of batch) {
      const page = pageOfEntry(content, type, entry)
      if (page) yield page
    }
  }
}

/** The page of one entry; undefined when it has none. */
export function pageOfEntry(content: SiteContent, type: ContentType, entry: Entry): Page | undefined {
  if (type.slug === 'location_services') return locationServicePage(content, entry)
  if (type.slug !== 'services') return entryPage(content, type, entry)
  const service = content.services.get(entry.id)
  return service && servicePage(content, service)
}
