import type { Db } from '../../db/schema.ts'
import { listEntriesById } from '../../entries/entry-lookup-store.ts'
import { listSlugRanges, type SlugRange } from '../../entries/entry-range-store.ts'
import { type Entry, listEntryRows, toEntry } from '../../entries/entry-store.ts'
import { publishFaults } from '../../messages/admin/publish.ts'
import { areaPages } from '../areas/area-pages.ts'
import { loadSiteContent, type SiteContent } from '../content/site-content.ts'
import { successHtml } from '../forms/form-view.ts'
import { archivePages } from './archive-pages.ts'
import { formPage, thanksPage } from './form-pages.ts'
import { homePage } from './home-page.ts'
import { errorPages } from './message-page.ts'
import type { Page } from './page.ts'
import { pageOfEntry } from './pages-of-types.ts'
import { serviceIndexPage } from './service-page.ts'

/**
 * Lists every public page (contract §4) at a time, by default now. Streamed: entries are read in batches, so memory
 * doesn't grow with their number. Throws if two pages have the same address.
 */
export async function* listPages(db: Db, options: { siteUrl: string; now?: Date }): AsyncGenerator<Page> {
  const content = await loadSiteContent(db, options)
  const owners = new Map<string, string>()
  for await (const page of pagesOf(db, content)) {
    const owner = owners.get(page.path)
    if (owner !== undefined)
      throw new Error(publishFaults.sameAddress(page.path, owner, page.view.head.title))
    owners.set(page.path, page.view.head.title)
    yield page
  }
}

/** Names the pages that share an address; returns undefined if one of them is the site's own. */
export async function explainSameAddress(
  db: Db,
  content: SiteContent,
  path: string,
): Promise<string | undefined> {
  const titles: string[] = []
  for (const range of await listPageRanges(db, content)) {
    for (const { page } of await readRange(db, content, range))
      if (page.path === path) titles.push(page.view.head.title)
  }
  const [first, second] = titles
  return first !== undefined && second !== undefined
    ? publishFaults.sameAddress(path, first, second)
    : undefined
}

// Number of pages worth handing to another process, and small enough to divide the work evenly.
const PAGES_PER_RANGE = 1_000

/**
 * Some of a site's pages: those that every site has, those of them that list services, entries of one type, or single
 * entries.
 */
export type PageRange =
  | { kind: 'fixed' }
  | { kind: 'overviews' }
  | { kind: 'entries'; typeSlug: string; slugs: SlugRange }
  | { kind: 'some'; entryIds: readonly number[] }

/** A page with its entry, if it belongs to one. */
export interface ListedPage {
  page: Page
  entry: Entry | undefined
}

/** Divides all pages into ranges, which together contain every page once, in the order of `listPages`. */
export async function listPageRanges(db: Db, content: SiteContent): Promise<PageRange[]> {
  const ranges: PageRange[] = [{ kind: 'fixed' }]
  const cut = { shownAt: content.shownAt, size: PAGES_PER_RANGE }
  for (const { id, slug, isRoutable } of content.types.values()) {
    if (!isRoutable) continue
    for (const slugs of await listSlugRanges(db, id, cut))
      ranges.push({ kind: 'entries', typeSlug: slug, slugs })
  }
  return ranges
}

/** Reads the entries of a range at the time of the content. Pages are made on demand. */
export async function readRange(
  db: Db,
  content: SiteContent,
  range: PageRange,
): Promise<Iterable<ListedPage>> {
  if (range.kind === 'fixed') return fixedPages(content).map(withoutEntry)
  if (range.kind === 'overviews') return overviewPages(content).map(withoutEntry)
  return pagesOfEntries(content, await listEntriesOf(db, content, range))
}

async function listEntriesOf(
  db: Db,
  { types, shownAt }: SiteContent,
  range: Extract<PageRange, { kind: 'entries' | 'some' }>,
): Promise<Iterable<Entry>> {
  if (range.kind === 'some') return (await listEntriesById(db, range.entryIds)).values()
  const type = types.get(range.typeSlug)
  const rows = type ? await listEntryRows(db, type.id, { shownAt, range: range.slugs }) : []
  return rows.values().map(toEntry)
}

async function* pagesOf(db: Db, content: SiteContent): AsyncGenerator<Page> {
  for (const range of await listPageRanges(db, content))
    for (const { page } of await readRange(db, content, range)) yield page
}

function withoutEntry(page: Page): ListedPage {
  return { page, entry: undefined }
}

// They show more of a service than its name.
function* overviewPages(content: SiteContent): Generator<Page> {
  yield homePage(content)
  yield serviceIndexPage(content)
}

function* fixedPages(content: SiteContent): Generator<Page> {
  yield* overviewPages(content)
  yield* areaPages(content)
  yield* formPages(content)
  yield* errorPages(content.layout)
  yield* archivePages(content)
}

function* formPages(content: SiteContent): Generator<Page> {
  for (const form of content.forms.values()) {
    if (form.status !== 'active') continue
    const page = formPage(content.layout, form)
    yield content.unusedForms.has(form.slug) ? withoutListing(page) : page
    yield thanksPage(content.layout, form, successHtml(form, content.pictures))
  }
}

function withoutListing<Detail>({ view, ...page }: Page<Detail>): Page<Detail> {
  return { ...page, view: { ...view, head: { ...view.head, isHidden: true } } }
}

function* pagesOfEntries(content: SiteContent, entries: Iterable<Entry>): Generator<ListedPage> {
  const types = new Map([...content.types.values()].map((type) => [type.id, type]))
  for (const entry of entries) {
    const type = types.get(entry.typeId)
    const page = type?.isRoutable ? pageOfEntry(content, type, entry) : undefined
    if (page) yield { page, entry }
  }
}
