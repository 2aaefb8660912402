import { isSameSite } from '../../publish/plan/plan-release.ts'
import type { PlannedChanges } from '../../publish/warm/warm-calls.ts'

// Long enough for the requesting page to reload and find the plan.
const FRESH_MS = 10_000

/** Determines in the background what a publish would change. */
export interface Planner {
  /** Starts planning, unless a plan is running or has just finished. */
  look(): void
  isLooking(): boolean
  /** The last plan; undefined before the first. */
  latest(): PlanLook | undefined
  /** True if a saved change is not published yet. */
  noteChange(): void
  /** Marks all saved changes as being published, or with `isPart` some of them. */
  notePublish(options: { isPart: boolean }): void
  /** Returns true if there is something to publish, as far as this server knows without planning. */
  hasUnpublished(): boolean
  stop(): Promise<void>
}

export type PlanLook = { at: string } & (
  | { kind: 'planned'; planned: PlannedChanges }
  | { kind: 'failed'; message: string }
)

export function createPlanner({
  plan,
  now,
  lastPublish,
  isPublishing,
  isSynced,
}: {
  plan: (signal: AbortSignal) => Promise<PlannedChanges>
  now: () => Date
  /** Changes with each publish and rollback of any process, even one without changes. */
  lastPublish: () => string
  isPublishing: () => boolean
  /** Returns true if a command synced unpublished changes since the last call. */
  isSynced: () => boolean
}): Planner {
  const stopping = new AbortController()
  let looking: Promise<void> | undefined
  let latest: PlanLook | undefined
  let isChanged = false
  let changes = 0
  // The publish after which `isChanged` was determined.
  let knownSince: string | undefined

  async function look() {
    const seen = changes
    const current = lastPublish()
    const found = await plan(stopping.signal).then(
      (planned) => ({ kind: 'planned' as const, planned }),
      (error: Error) => ({ kind: 'failed' as const, message: error.message }),
    )
    looking = undefined
    // The plan does not include changes that were saved or published meanwhile.
    if (seen !== changes) return
    latest = { ...found, at: now().toISOString() }
    knownSince = current
    if (found.kind === 'planned') isChanged = hasChanges(found.planned)
  }

  function forget(isNowChanged: boolean) {
    changes += 1
    latest = undefined
    isChanged = isNowChanged
    knownSince = lastPublish()
  }

  function begin() {
    if (!looking && !stopping.signal.aborted) looking = look()
  }

  return {
    look() {
      if (isSynced()) forget(true)
      if (!latest || now().getTime() - Date.parse(latest.at) >= FRESH_MS) begin()
    },
    isLooking: () => looking !== undefined,
    latest: () => latest,
    noteChange: () => forget(true),
    // After a part of them, the next plan says what is left.
    notePublish: ({ isPart }) => forget(isPart),
    hasUnpublished() {
      if (isSynced()) forget(true)
      // A command published meanwhile: whether it published everything is determined for the next page.
      if (isChanged && knownSince !== lastPublish() && !isPublishing()) begin()
      return isChanged
    },
    async stop() {
      stopping.abort()
      await looking
    },
  }
}

// A saved change may change no page, and a new template changes pages without one.
function hasChanges({ plan, saved }: PlannedChanges): boolean {
  return !isSameSite(plan) || (saved?.count ?? 0) > 0
}
