import { compareText } from '../lib/compare-text.ts'
import type { PageQuality } from '../site/quality/page-quality.ts'

const NAMED_PAGES = 8

/** Number of location pages kept out of search engines, and those that miss the threshold by the least. */
export interface QualitySummary {
  pages: number
  unlisted: number
  /** The best of these pages. */
  closest: readonly PageQuality[]
}

export const NO_QUALITY: QualitySummary = { pages: 0, unlisted: 0, closest: [] }

export function withPage(summary: QualitySummary, page: PageQuality): QualitySummary {
  const { pages, unlisted, closest } = summary
  if (page.isListed) return { pages: pages + 1, unlisted, closest }
  const last = closest[NAMED_PAGES - 1]
  const isFar = last !== undefined && compareQuality(last, page) <= 0
  return { pages: pages + 1, unlisted: unlisted + 1, closest: isFar ? closest : best([...closest, page]) }
}

/** Fills up the list with pages from before that were not compared. */
export function withClosestOf(
  summary: QualitySummary,
  before: QualitySummary,
  changed: Iterable<PageQuality>,
): QualitySummary {
  const newer = new Set([...changed, ...summary.closest].map(({ entryId }) => entryId))
  const older = before.closest.filter(({ entryId }) => !newer.has(entryId))
  return { ...summary, closest: best([...summary.closest, ...older]) }
}

export function addQuality(a: QualitySummary, b: QualitySummary): QualitySummary {
  const closest = best([...a.closest, ...b.closest])
  return { pages: a.pages + b.pages, unlisted: a.unlisted + b.unlisted, closest }
}

function best(pages: readonly PageQuality[]): PageQuality[] {
  return pages.toSorted(compareQuality).slice(0, NAMED_PAGES)
}

// Processes finish in any order, so equal pages are ordered by their addresses.
function compareQuality(a: PageQuality, b: PageQuality): number {
  return b.score - a.score || compareText(a.path, b.path)
}
