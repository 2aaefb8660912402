import type { Kysely } from 'kysely'
import { createCommitProbe } from '../../db/commit-probe.ts'
import type { Schema } from '../../db/schema.ts'
import type { SubmissionDesk } from '../../submissions/intake/accept-submission.ts'

const REMEMBERED_MS = 5_000

export interface IntakeHealth {
  /** The desk with its outcomes monitored: posts may fail for a reason that no check covers. */
  watch(desk: SubmissionDesk): SubmissionDesk
  /**
   * Returns true if posts can be stored: the database could store one now, and none was refused in the last 5 seconds without
   * another being stored since. Answers within 2 seconds and never throws.
   */
  isTakingPosts(): Promise<boolean>
  close(): Promise<void>
}

export function createIntakeHealth(
  db: Kysely<Schema>,
  databaseUrl: string,
  now = () => performance.now(),
): IntakeHealth {
  const probe = createCommitProbe(db, databaseUrl)
  let refusedAt = Number.NEGATIVE_INFINITY
  return {
    watch: (desk) => ({
      ...desk,
      async accept(...post) {
        const outcome = await desk.accept(...post)
        if (outcome.kind === 'unavailable') refusedAt = now()
        if (outcome.kind === 'accepted') refusedAt = Number.NEGATIVE_INFINITY
        return outcome
      },
    }),
    isTakingPosts: async () => now() - refusedAt >= REMEMBERED_MS && probe.canCommit(),
    close: () => probe.close(),
  }
}
