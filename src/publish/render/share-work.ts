import type { PageRange } from '../../site/pages/list-pages.ts'
import type { SharePicture } from '../../site/pages/share-picture.ts'
import type { PageQuality } from '../../site/quality/page-quality.ts'
import type { PageSource } from '../../site/sources/page-sources.ts'
import type { PageRecord } from '../ledger/page-record.ts'
import type { SourceChange } from '../plan/plan-causes.ts'
import { NO_QUALITY, type QualitySummary } from '../quality-summary.ts'
import type { Release } from '../release/release.ts'
import type { BrokenLink } from '../release/verify-release.ts'

/** Difference between a page and the current release. `same` means rendered again with the same bytes. */
type PageState = 'added' | 'changed' | 'same' | 'unchanged'

export interface ShareOptions {
  templateFingerprint: string
  /** See `Bundle`. */
  templateParts?: Readonly<Record<string, string>>
  /** True if every page counts as changed. */
  full: boolean
  /** The current release, which the ledger describes. */
  previous: Release | undefined
  /** The current release, if it is not in the ledger. */
  unknown: Release | undefined
  ledgerFile: string
  /** See `Before`. */
  readsFiles: boolean
  /** Difference from the current release. */
  changes: SourceChange[]
  /** Folders of shards, whose pages don't need to be rendered again. */
  rendered: readonly string[]
  /** Folder for pages; without it they are only compared. */
  siteDir: string | undefined
  /** Notes neither the links of rendered pages nor why pages differ, which takes an eighth of the time. */
  onlyPages?: boolean | undefined
}

/** Findings about a page. */
export interface StagedPage {
  state: PageState
  /** True if its file is new. */
  isWritten: boolean
  causes: readonly SourceChange[]
  record: PageRecord
}

/** A page's file, and how it differs from that of the current release. */
export type Stored = Pick<PageRecord, 'bytesHash' | 'size' | 'modifiedAt'> & {
  isSame: boolean
  isWritten: boolean
}

/** Marks of pages without an entry, and of pages with unknown quality. */
export const NO_ENTRY = '0000000000000000'
export const NO_QUALITY_MARK = '00000000'

/** Part of the work: a range of the program's pages, or the pages in the site's own `src/pages`. */
export type WorkRange = PageRange | { kind: 'own' }

/** Contents of a range. */
export interface RangeOutcome {
  quality: QualitySummary
  pages: StagedPage[]
  /** Those that differ. */
  qualities: PageQuality[]
  /** Share pictures of its pages. */
  pictures: SharePicture[]
  /** Distinct broken links of the rendered pages. */
  links: BrokenLink[]
  /** Keys that own pages read. */
  reads: PageSource[]
}

/** Part of the work on a release: compares pages and renders those that differ. */
export interface PageShare {
  /** Resolves when it is ready to work; to false if it can't. Without it, it is ready. */
  joins?(): Promise<boolean>
  range(range: WorkRange): Promise<RangeOutcome>
  /** Waits until the files it wrote are on disk, unless they are too many to flush one by one. Ends its process. */
  finish(): Promise<void>
}

export function emptyOutcome(): RangeOutcome {
  return { quality: NO_QUALITY, pages: [], qualities: [], pictures: [], links: [], reads: [] }
}
