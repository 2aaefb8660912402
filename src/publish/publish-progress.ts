import { z } from 'zod'

export const phase = z.object({
  /** Its code, or its text in rows of earlier releases; `describeStep` handles both. */
  name: z.string(),
  startedAt: z.string(),
  done: z.number(),
  total: z.number(),
})

/** A step of a publish, such as rendering. */
export type PublishPhase = z.output<typeof phase>

export const publishProgress = z.object({
  publishId: z.number(),
  /** Key of the preview being made; undefined for a publish. */
  preview: z.string().optional(),
  updatedAt: z.string(),
  phases: z.array(phase),
})

/** Progress of the running publish or preview. The last phase is the current one. */
export type PublishProgress = z.output<typeof publishProgress>

/** Estimated seconds until the current phase is done; undefined until its pace is known. */
export function secondsLeft({ phases, updatedAt }: PublishProgress): number | undefined {
  const current = phases.at(-1)
  if (!current || current.done === 0 || current.done > current.total) return undefined
  const elapsedMs = Date.parse(updatedAt) - Date.parse(current.startedAt)
  return Math.ceil(((elapsedMs / current.done) * (current.total - current.done)) / 1_000)
}
