import type { Progress } from '../../lib/progress.ts'
import { publishStep } from '../../messages/server/publishing.ts'

/** Starts the step that makes this many pictures, if there are any; returns what to call after each. */
export function countPictures(progress: Progress, total: number): () => void {
  let done = 0
  if (total > 0) progress.phase(publishStep('pictures'))
  return () => progress.update(++done, total)
}
