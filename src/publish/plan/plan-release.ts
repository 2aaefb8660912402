import type { QualitySummary } from '../quality-summary.ts'
import type { PlanCause } from './plan-causes.ts'

/** Differences between a release and the current one. */
export interface ReleasePlan {
  added: number
  /** With other bytes than before; a plan that renders nothing counts every page here that has to be rendered. */
  changed: number
  removed: number
  unchanged: number
  /** Number of unchanged pages that were rendered again with the same bytes. */
  renderedSame: number
  /** Why, what reaches most pages first. A page may have several causes. */
  causes: PlanCause[]
  /** Bytes of all pages. */
  bytes: number
  quality: QualitySummary
}

/** A page that differs. */
export interface PageChange {
  change: 'added' | 'changed' | 'same' | 'removed'
  path: string
  /** Subject of the page, whatever its address. */
  key: string
  /** Keys of the plan's causes. */
  causes: string[]
}

/** A line of `changes.tsv`. */
export function formatChange({ change, path, key, causes }: PageChange): string {
  return `${change}\t${path}\t${key}\t${causes.join('|')}\n`
}

/** Returns whether every page is what it was; one that was rendered again and is the same counts as not. */
export function isSameSite({ added, changed, removed, renderedSame }: ReleasePlan): boolean {
  return added + changed + removed + renderedSame === 0
}
