import type { Scope } from './changes/scope.ts'
import type { ReleaseFacts } from './ledger/ledger-store.ts'
import type { ReleasePlan } from './plan/plan-release.ts'
import type { PublishOutcome } from './record-publish.ts'
import type { Release } from './release/release.ts'

/** Returns what was compared, and up to which change. */
export function endOf(
  scope: Scope,
  { position }: Pick<ReleaseFacts, 'position'>,
): Pick<PublishOutcome, 'scope' | 'changeId'> {
  return { scope: scope.kind === 'all' ? scope.code : 'changes', changeId: position.id }
}

/** Nothing was saved since the current release, so it stays. */
export function leaveAsItIs(
  scope: Scope,
  { release, facts }: { release: Release; facts: ReleaseFacts },
): PublishOutcome {
  const found = { brokenLinks: [], copiedPages: 0, problems: [] }
  return { ...endOf(scope, facts), ...found, kind: 'unchanged', release, plan: planOfNothing(facts) }
}

/** The plan of a publish that finds no changes since the live release. */
export function planOfNothing({ pages: unchanged, bytes, quality }: ReleaseFacts): ReleasePlan {
  return { added: 0, changed: 0, removed: 0, renderedSame: 0, causes: [], unchanged, bytes, quality }
}
