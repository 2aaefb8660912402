import type { FilePlace } from '../../files/file-store.ts'
import type { Progress, Step } from '../../lib/progress.ts'
import type { SiteNotice } from '../notices/find-notices.ts'
import type { NewestChanges } from '../pending/pending-changes.ts'
import type { PageChange, ReleasePlan } from '../plan/plan-release.ts'
import type { PreviewRequest, StagedPreview } from '../previews/stage-preview.ts'
import type { PublishOutcome, Starter } from '../record-publish.ts'

/** Site that a process publishes. */
export interface WarmSite {
  projectDir: string
  dataDir: string
  siteUrl: string
  databaseUrl: string
}

/** The same with the location of its files. */
export interface WarmPlace extends WarmSite {
  filePlace: FilePlace
}

export interface PublishRequest extends Starter {
  /** Renders every page again, changed or not. */
  full?: boolean | undefined
  /** Number of processes. Default: as many as are worth it. */
  jobs?: number | undefined
}

/** Changes of a publish, with the first pages that differ. */
export interface PlannedChanges {
  plan: ReleasePlan
  changes: PageChange[]
  /** Problems that visitors or search engines would encounter. */
  notices: SiteNotice[]
  /** Changes saved since the live release; undefined if that release is unknown. */
  saved: NewestChanges | undefined
}

/** Calls to the process, one after another. */
export type WarmCall =
  | { call: 'publish'; request: PublishRequest }
  | { call: 'preview'; request: PreviewRequest }
  | { call: 'plan' }
  | { call: 'check' }

/** Undefined for a check, and for a publish that leaves a rolled-back site alone. */
export type WarmResult = PublishOutcome | PlannedChanges | StagedPreview | undefined

export type WarmAnswer =
  | { kind: 'step'; step: ProgressStep }
  /** `bytes`: the memory that the process uses. */
  | { kind: 'done'; result: WarmResult; bytes: number }
  | { kind: 'failed'; message: string }
  /** The program has changed since the process started; a new one can answer. */
  | { kind: 'outdated' }

/** A `Progress` call, for another process. */
export type ProgressStep = { phase: Step } | { done: number; total: number } | 'finish'

/** Converts progress to steps that can be sent. */
export function progressOf(send: (step: ProgressStep) => void): Progress {
  return {
    phase: (phase) => send({ phase }),
    update: (done, total) => send({ done, total }),
    finish: () => send('finish'),
  }
}

/** Converts a received step to progress. */
export function showStep(progress: Progress, step: ProgressStep): void {
  if (step === 'finish') progress.finish()
  else if ('phase' in step) progress.phase(step.phase)
  else progress.update(step.done, step.total)
}
