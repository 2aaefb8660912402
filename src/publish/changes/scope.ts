import type { PublishScopeCode } from '../../db/tables/publish-tables.ts'
import type { NearContent, SiteContent } from '../../site/content/site-content.ts'
import type { PageSource } from '../../site/sources/page-sources.ts'
import type { Ledger, ReleaseFacts } from '../ledger/ledger-store.ts'
import type { SourceChange } from '../plan/plan-causes.ts'
import type { ContentChange } from './change-store.ts'
import type { KeptTrees } from './kept-trees.ts'

/** Pages that a publish compares. */
export type Scope =
  /** Every page, and why. */
  { kind: 'all'; code: Exclude<PublishScopeCode, 'changes'> } | ChangeScope

/** The pages of these entries, and perhaps those that list services; no other page can differ. */
export interface ChangeScope {
  kind: 'changes'
  /** Changes of any subject since the release. */
  touched: readonly ContentChange[]
  entryIds: readonly number[]
  /** True if they include the pages that list services. */
  hasOverviews: boolean
  /** Content of these pages, and what it was loaded for; undefined without any. */
  content: SiteContent | undefined
  near: NearContent | undefined
  /** The sources that differ. */
  sources: readonly PageSource[]
  changes: readonly SourceChange[]
}

/** True if no page can differ. */
export function isNothing(scope: Scope): scope is ChangeScope {
  return scope.kind === 'changes' && scope.entryIds.length === 0
}

export interface ScopeQuestion {
  ledger: Ledger
  /** The facts of the live release. */
  facts: ReleaseFacts
  siteUrl: string
  now: Date
  /** Default: they are loaded. */
  trees?: KeptTrees | undefined
}
