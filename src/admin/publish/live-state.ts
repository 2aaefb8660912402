import { progressTexts } from '../../messages/admin/publish.ts'
import type { PublishProgress } from '../../publish/publish-progress.ts'
import { secondsLeft } from '../../publish/publish-progress.ts'

/** What the page about publishing asks for again and again. */
export interface LiveState {
  isPublishing: boolean
  isLooking: boolean
  phase: string
  done: number
  total: number
  left: string
}

/** The state in the words that the page shows. */
export function liveState(
  progress: PublishProgress | undefined,
  { isPublishing, isLooking }: { isPublishing: boolean; isLooking: boolean },
): LiveState {
  const { name: phase = progressTexts.starting, done = 0, total = 0 } = progress?.phases.at(-1) ?? {}
  return { isPublishing, isLooking, phase, done, total, left: describeLeft(progress) }
}

/** `1,204 of 100,000 pages, about 12 s left` */
export function describeLeft(progress: PublishProgress | undefined): string {
  const current = progress?.phases.at(-1)
  if (!progress || !current || current.total === 0) return ''
  const pages = progressTexts.done(current.done, current.total)
  const seconds = secondsLeft(progress)
  return seconds === undefined ? pages : progressTexts.left(pages, seconds)
}
