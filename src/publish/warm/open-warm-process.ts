import { setTimeout as delay } from 'node:timers/promises'
import { createTurns } from '../../lib/background/turns.ts'
import { type Progress, silentProgress } from '../../lib/progress.ts'
import type { PreviewRequest, StagedPreview } from '../previews/stage-preview.ts'
import type { PublishOutcome } from '../record-publish.ts'
import { keepProcess, type Limits } from './keep-process.ts'
import type { PlannedChanges, PublishRequest, WarmPlace } from './warm-calls.ts'

// A nearly finished plan may complete, because starting another process takes longer.
const PLAN_ENDS_WITHIN_MS = 300

/** A process that publishes and plans, and stays ready for the next time. */
export interface WarmProcess {
  /**
   * Publishes, interrupting a plan that takes long. Undefined if the site was rolled back and the starter may not
   * change that. If the signal is aborted, the process ends and the site stays as it is.
   */
  publish(
    request: PublishRequest,
    options: { signal: AbortSignal; progress?: Progress | undefined },
  ): Promise<PublishOutcome | undefined>
  /** Returns what a publish would change. */
  plan(signal: AbortSignal): Promise<PlannedChanges>
  /** Makes a preview's pages, interrupting a plan that takes long. */
  preview(request: PreviewRequest, signal: AbortSignal): Promise<StagedPreview>
  /** Checks and repairs the site, and records the findings. */
  check(signal: AbortSignal): Promise<void>
  /** The process, if it is running. */
  processId(): number | undefined
  /** Ends the process. The next call starts another. */
  end(): Promise<void>
}

/** Opens a process for a site, started by the first call. */
export function openWarmProcess(site: WarmPlace, limits?: Limits): WarmProcess {
  const kept = keepProcess(site, limits)
  const inTurn = createTurns()
  let planning: Promise<unknown> | undefined
  // A plan interrupted by a preview starts again after it.
  let isForPreview = false

  async function plan(signal: AbortSignal) {
    const asking = kept.ask({ call: 'plan' }, { signal, progress: silentProgress })
    planning = asking.catch(() => {})
    return asking.finally(() => {
      planning = undefined
    })
  }

  // Returns true if one was running.
  async function breakOffPlan() {
    if (planning) await Promise.race([planning, delay(PLAN_ENDS_WITHIN_MS)])
    if (planning) kept.kill()
    return planning !== undefined
  }

  return {
    async publish(request, { signal, progress = silentProgress }) {
      await breakOffPlan()
      const publishing = inTurn(() => kept.ask({ call: 'publish', request }, { signal, progress }))
      return publishing as Promise<PublishOutcome | undefined>
    },
    async plan(signal) {
      isForPreview = false
      const first = inTurn(() => plan(signal)).catch((error: unknown) => {
        if (!isForPreview) throw error
        return inTurn(() => plan(signal))
      })
      return first as Promise<PlannedChanges>
    },
    async preview(request, signal) {
      isForPreview = await breakOffPlan()
      const staging = inTurn(() =>
        kept.ask({ call: 'preview', request }, { signal, progress: silentProgress }),
      )
      return staging as Promise<StagedPreview>
    },
    async check(signal) {
      await inTurn(() => kept.ask({ call: 'check' }, { signal, progress: silentProgress }))
    },
    processId: kept.processId,
    end: kept.end,
  }
}
