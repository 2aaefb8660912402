import type { Db } from '../db/schema.ts'
import { listForms } from '../forms/form-store.ts'
import { removeSubmissions } from './remove-submissions.ts'
import { countSubmissions } from './retention-store.ts'

const DAY_MS = 86_400_000

/** A form that keeps its submissions for a number of days. */
export interface FormRetention {
  formId: number
  slug: string
  days: number
  /** Submissions from before that moment (UTC text) go. */
  before: string
  count: number
}

/** What `applyRetention` would remove, for each form with `retention_days`; forms without keep theirs for ever (§2.1). */
export async function planRetention(db: Db, { now }: { now: Date }): Promise<FormRetention[]> {
  const plans: FormRetention[] = []
  for (const { id: formId, slug, settings } of await listForms(db)) {
    if (settings.retention_days == null) continue
    const days = settings.retention_days
    const before = new Date(now.getTime() - days * DAY_MS).toISOString()
    plans.push({ formId, slug, days, before, count: await countSubmissions(db, formId, { before }) })
  }
  return plans
}

/**
 * Removes the submissions that are older than their form keeps them, with all that belongs to them. When `signal`
 * aborts, the rest is left for the next time.
 */
export async function applyRetention(
  db: Db,
  { now, uploadsDir, signal }: { now: Date; uploadsDir: string; signal?: AbortSignal },
): Promise<FormRetention[]> {
  const done: FormRetention[] = []
  for (const plan of await planRetention(db, { now })) {
    const count = await removeSubmissions(db, plan.formId, { before: plan.before, uploadsDir, signal })
    done.push({ ...plan, count })
  }
  return done
}
