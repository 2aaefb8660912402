import type { Cause } from '../../messages/admin/publish.ts'
import type { PageRange } from '../../site/pages/list-pages.ts'
import type { SourceChange } from '../plan/plan-causes.ts'
import { NO_QUALITY, type QualitySummary } from '../quality-summary.ts'
import type { Release } from '../release/release.ts'
import type { Slice } from './part-file.ts'

/** How a page differs from the current release. `same` was rendered again and has the bytes it had. */
export type PageState = 'added' | 'changed' | 'same' | 'unchanged'

export interface ShareOptions {
  templateFingerprint: string
  /** Every page counts as changed. */
  full: boolean
  /** The current release. */
  previous: Release | undefined
  /** See `EarlierReleases`: of pages that are what they were, the moment is kept. */
  remade: readonly Release[]
  /** What is different from the current release. */
  changes: SourceChange[]
  /** Nothing that several pages show differs from what the current release was made of, nor does the program. */
  isContentSame: boolean
  /** Where its part files go, named by its number. */
  partsDir: string
  number: number
  /** Folders of shards, whose pages need not be rendered again. */
  rendered: readonly string[]
  /** Where pages are written; without it they are only compared. */
  siteDir: string | undefined
}

/** What of a range becomes a part of a file of the release. */
export const JOINED = ['pages', 'changes', 'former', 'qualities', 'pictures'] as const
export type JoinedPart = (typeof JOINED)[number]

/** The result of rendering a range of pages. */
export interface RangeOutcome extends Record<JoinedPart, Slice> {
  range: PageRange
  /** See `RangeOfPages`. */
  mark: string | null
  counts: Record<PageState, number>
  /** Of all its pages. */
  bytes: number
  /** How many addresses of the current release belong to another page now. */
  handedOver: number
  quality: QualitySummary
  /** How many pages each cause reaches, with its text. */
  causes: Record<string, { cause: Cause; pages: number }>
}

/** A share of the work on a release: compares pages, renders those that differ, takes over the others. */
export interface PageShare {
  range(range: PageRange): Promise<RangeOutcome>
  /** Takes the pages that stay as they were over into the release. Says how many could only be copied. */
  keep(): Promise<{ copied: number }>
  /** Waits until the first files that it wrote are on disk. */
  flush(): Promise<void>
  /** The file with the links of the rendered pages, each once: `target`, tab, page. */
  links(): Promise<string>
  close(): Promise<void>
}

export function emptyOutcome() {
  return {
    counts: { added: 0, changed: 0, same: 0, unchanged: 0 },
    bytes: 0,
    handedOver: 0,
    quality: NO_QUALITY,
    causes: {} as RangeOutcome['causes'],
  }
}
