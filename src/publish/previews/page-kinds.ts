import { entryIdOfKey, placeOfKey } from '../../site/pages/page-key.ts'
import type { PageChange } from '../plan/plan-release.ts'

/** Kinds of pages in the order of a reader's interest. */
export const PAGE_KINDS = ['home', 'service', 'local', 'list', 'form', 'other', 'message'] as const
export type PageKind = (typeof PAGE_KINDS)[number]

/** Numbers of pages by kind. */
export type PageKinds = Partial<Record<PageKind, number>>

type KindedPage = Pick<PageChange, 'path' | 'key'>

/** Returns the kind of a page. */
export function kindOfPage({ path, key }: KindedPage): PageKind {
  if (path === '/') return 'home'
  if (placeOfKey(key)) return 'local'
  if (entryIdOfKey(key) !== undefined) return path.startsWith('/services/') ? 'service' : 'other'
  if (/^(?:form|thanks):/.test(key)) return 'form'
  if (/^(?:area|areas-from|taxonomy|term):/.test(key) || path === '/services') return 'list'
  return /^\/(?:404|410|500)$/.test(path) ? 'message' : 'other'
}

/** Sorts pages by kind, those with one of the keys first. */
export function sortByKind<Page extends KindedPage>(
  pages: readonly Page[],
  first: ReadonlySet<string>,
): Page[] {
  const rankOf = (page: Page) => (first.has(page.key) ? -1 : PAGE_KINDS.indexOf(kindOfPage(page)))
  return pages
    .map((page) => ({ page, rank: rankOf(page) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ page }) => page)
}

/** Counts pages by kind. */
export function countKinds(pages: readonly KindedPage[]): PageKinds {
  const kinds: PageKinds = {}
  for (const page of pages) {
    const kind = kindOfPage(page)
    kinds[kind] = (kinds[kind] ?? 0) + 1
  }
  return kinds
}
