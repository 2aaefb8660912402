import { addQuality, NO_QUALITY, type QualitySummary } from '../quality-summary.ts'
import type { RangeOutcome } from '../render/share-work.ts'
import type { PlanCause } from './plan-causes.ts'

/** How a release differs, or would differ, from the current one. */
export interface ReleasePlan {
  added: number
  /** With other bytes than before; a plan that renders nothing counts every page here that has to be rendered. */
  changed: number
  removed: number
  unchanged: number
  /** Of the unchanged, how many were rendered again and have the bytes they had. */
  renderedSame: number
  /** Why, what reaches most pages first. A page may have several causes. */
  causes: PlanCause[]
  /** Of all pages. */
  bytes: number
  quality: QualitySummary
}

/** A page that differs. */
export interface PageChange {
  change: 'added' | 'changed' | 'same' | 'removed'
  path: string
  /** What the page is about, whatever its address. */
  key: string
  /** Keys of the plan's causes. */
  causes: string[]
}

/** A line of `changes.tsv`. */
export function parseChange(line: string): PageChange {
  const [change = '', path = '', key = '', causes = ''] = line.split('\t')
  return { change: change as PageChange['change'], path, key, causes: causes.split('|').filter(Boolean) }
}

export function formatChange({ change, path, key, causes }: PageChange): string {
  return `${change}\t${path}\t${key}\t${causes.join('|')}\n`
}

/** Adds up what the ranges gave. */
export function sumOutcomes(outcomes: readonly RangeOutcome[]): ReleasePlan {
  const plan = { added: 0, changed: 0, removed: 0, unchanged: 0, renderedSame: 0, bytes: 0 }
  let quality = NO_QUALITY
  const causes = new Map<string, PlanCause>()
  for (const { counts, bytes, causes: some, quality: found } of outcomes) {
    quality = addQuality(quality, found)
    plan.added += counts.added
    plan.changed += counts.changed
    plan.unchanged += counts.unchanged + counts.same
    plan.renderedSame += counts.same
    plan.bytes += bytes
    for (const [key, reason] of Object.entries(some)) addPages(causes, { key, ...reason })
  }
  return { ...plan, quality, causes: byReach(causes.values()) }
}

/** The plan with pages that are gone. */
export function withRemoved(plan: ReleasePlan, removed: readonly PlanCause[], count: number): ReleasePlan {
  const causes = new Map(plan.causes.map((cause) => [cause.key, { ...cause }]))
  for (const cause of removed) addPages(causes, cause)
  return { ...plan, removed: count, causes: byReach(causes.values()) }
}

function addPages(causes: Map<string, PlanCause>, { key, cause, pages }: PlanCause) {
  const known = causes.get(key)
  if (known) known.pages += pages
  else causes.set(key, { key, cause, pages })
}

function byReach(causes: Iterable<PlanCause>): PlanCause[] {
  return [...causes].sort((a, b) => b.pages - a.pages || (a.key < b.key ? -1 : 1))
}

/** Whether every page is what it was; one that was rendered again and is the same counts as not. */
export function isSameSite({ added, changed, removed, renderedSame }: ReleasePlan): boolean {
  return added + changed + removed + renderedSame === 0
}
