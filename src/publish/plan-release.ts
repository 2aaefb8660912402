import type { Db } from '../db/schema.ts'
import { createFingerprint } from '../site/fingerprint.ts'
import { listPages } from '../site/list-pages.ts'
import type { Page } from '../site/page.ts'
import type { PageQuality } from '../site/quality/page-quality.ts'
import type { PageAddresses } from './page-addresses.ts'
import type { PageManifest } from './release.ts'

/** How a release would differ from the current one. */
export interface ReleasePlan {
  added: string[]
  changed: string[]
  removed: string[]
  unchanged: string[]
  /** Every page of the next release. */
  pages: PageManifest
  /** Paths for the sitemap. */
  listed: string[]
  /** Of the location pages. */
  quality: PageQuality[]
}

interface PlanOptions {
  siteUrl: string
  /** The moment whose content is planned; the present when there is none. */
  now?: Date | undefined
  templateFingerprint: string
  /** The pages of the current release; empty when there is none. */
  current: PageManifest
  /** Every page counts as changed. */
  full: boolean
  /** Called with each page that has to be rendered, in order; the next page waits for it. */
  onChanged?: (page: Page) => Promise<void>
  onPage?: (done: number) => void
  /** Takes down the address of every page. */
  addresses?: PageAddresses
}

/** One pass over the database; a page's view is dropped as soon as it is compared (and rendered, if it changed). */
export async function planRelease(db: Db, options: PlanOptions): Promise<ReleasePlan> {
  const { siteUrl, now = new Date(), current, full, onChanged, onPage } = options
  const fingerprint = createFingerprint(options.templateFingerprint)
  const plan: ReleasePlan = {
    added: [],
    changed: [],
    removed: [],
    unchanged: [],
    pages: new Map(),
    listed: [],
    quality: [],
  }
  for await (const page of listPages(db, { siteUrl, now })) {
    const next = fingerprint(page)
    const group = groupOf(current.get(page.path), next, full)
    plan[group].push(page.path)
    plan.pages.set(page.path, next)
    options.addresses?.note(page)
    if (!page.view.head.isHidden) plan.listed.push(page.path)
    if (page.quality) plan.quality.push(page.quality)
    if (group !== 'unchanged') await onChanged?.(page)
    onPage?.(plan.pages.size)
  }
  plan.removed = [...current.keys()].filter((path) => !plan.pages.has(path))
  return plan
}

function groupOf(before: string | undefined, next: string, full: boolean): 'added' | 'changed' | 'unchanged' {
  if (before === undefined) return 'added'
  return before === next && !full ? 'unchanged' : 'changed'
}

export function isSameSite(plan: ReleasePlan): boolean {
  return plan.added.length + plan.changed.length + plan.removed.length === 0
}
