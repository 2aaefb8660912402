import { progressTexts } from '../../messages/admin/publish.ts'
import { describeStep } from '../../messages/server/publishing.ts'
import type { PublishProgress } from '../../publish/publish-progress.ts'
import { secondsLeft } from '../../publish/publish-progress.ts'

/** The state that the Publish page polls. */
export interface LiveState {
  isPublishing: boolean
  isLooking: boolean
  phase: string
  done: number
  total: number
  left: string
}

/** Returns the state as texts for the page. */
export function liveState(
  progress: PublishProgress | undefined,
  { isPublishing, isLooking }: { isPublishing: boolean; isLooking: boolean },
): LiveState {
  const { done = 0, total = 0 } = progress?.phases.at(-1) ?? {}
  return {
    isPublishing,
    isLooking,
    phase: describePhase(progress),
    done,
    total,
    left: describeLeft(progress),
  }
}

/** Names the current step. */
export function describePhase(progress: PublishProgress | undefined): string {
  const current = progress?.phases.at(-1)
  return current ? describeStep(current.name) : progressTexts.starting
}

/** Formats `1,204 of 100,000 pages compared, about 12 seconds left`. */
export function describeLeft(progress: PublishProgress | undefined): string {
  const current = progress?.phases.at(-1)
  if (!progress || !current || current.total === 0) return ''
  const describe = current.name === 'pictures' ? progressTexts.pictures : progressTexts.done
  const pages = describe(current.done, current.total)
  const seconds = secondsLeft(progress)
  return seconds === undefined ? pages : progressTexts.left(pages, seconds)
}
