import { z } from 'zod'

export const phase = z.object({
  /** Its code, or its text in rows of earlier releases; `describeStep` reads both. */
  name: z.string(),
  startedAt: z.string(),
  done: z.number(),
  total: z.number(),
})

/** A step of a publish, such as rendering. */
export type PublishPhase = z.output<typeof phase>

export const publishProgress = z.object({
  publishId: z.number(),
  /** Key of the preview that is made; a publish has none. */
  preview: z.string().optional(),
  updatedAt: z.string(),
  phases: z.array(phase),
})

/** Progress of the running publish or preview; the last phase is the current one. */
export type PublishProgress = z.output<typeof publishProgress>

/** Seconds until the phase under way is done, by its pace so far; undefined before there is one. */
export function secondsLeft({ phases, updatedAt }: PublishProgress): number | undefined {
  const current = phases.at(-1)
  if (!current || current.done === 0 || current.done > current.total) return undefined
  const elapsedMs = Date.parse(updatedAt) - Date.parse(current.startedAt)
  return Math.ceil(((elapsedMs / current.done) * (current.total - current.done)) / 1_000)
}
