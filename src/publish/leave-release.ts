import type { Scope } from './changes/scope.ts'
import type { ReleaseFacts } from './ledger/ledger-store.ts'
import type { ReleasePlan } from './plan/plan-release.ts'
import type { PublishOutcome } from './record-publish.ts'

/** Returns what was compared, and up to which change. */
export function endOf(
  scope: Scope,
  { position }: Pick<ReleaseFacts, 'position'>,
): Pick<PublishOutcome, 'scope' | 'changeId'> {
  return { scope: scope.kind === 'all' ? scope.code : 'changes', changeId: position.id }
}

/** Returns the outcome of a publish that keeps the current release. */
export function leaveAsItIs(
  scope: Scope,
  {
    facts,
    ...kept
  }: Pick<PublishOutcome, 'release' | 'plan' | 'problems'> & { facts: Pick<ReleaseFacts, 'position'> },
): PublishOutcome {
  return { ...endOf(scope, facts), ...kept, kind: 'unchanged', brokenLinks: [], copiedPages: 0 }
}

/** The plan of a publish that finds no changes since the live release. */
export function planOfNothing({ pages: unchanged, bytes, quality }: ReleaseFacts): ReleasePlan {
  return { added: 0, changed: 0, removed: 0, renderedSame: 0, causes: [], unchanged, bytes, quality }
}
