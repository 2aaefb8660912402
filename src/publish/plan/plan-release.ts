import type { QualitySummary } from '../quality-summary.ts'
import type { PlanCause } from './plan-causes.ts'

/** Differences between a release and the current one. */
export interface ReleasePlan {
  added: number
  /** Pages whose bytes differ; in a plan without rendering, every page that needs rendering. */
  changed: number
  removed: number
  unchanged: number
  /** Number of pages that were rendered again with the same bytes. */
  renderedSame: number
  /** Reasons, most pages first. A page may have several. */
  causes: PlanCause[]
  /** Bytes of all pages. */
  bytes: number
  quality: QualitySummary
}

/** A page that differs. */
export interface PageChange {
  change: 'added' | 'changed' | 'same' | 'removed'
  path: string
  /** Subject of the page, independent of its address. */
  key: string
  /** Hash of the page's bytes; null if it was removed. */
  bytesHash: string | null
  /** Keys of the plan's causes. */
  causes: string[]
}

/** A line of `changes.tsv`. */
export function formatChange({ change, path, key, causes }: PageChange): string {
  return `${change}\t${path}\t${key}\t${causes.join('|')}\n`
}

/** Returns whether every page is the same. A page rendered again counts as different, even with the same bytes. */
export function isSameSite({ added, changed, removed, renderedSame }: ReleasePlan): boolean {
  return added + changed + removed + renderedSame === 0
}
