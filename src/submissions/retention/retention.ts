import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { truncateLog } from '../../db/truncate-log.ts'
import type { FileStore } from '../../files/file-store.ts'
import { listForms } from '../../forms/form-store.ts'
import { removeSubmissions } from './remove-submissions.ts'
import { countSubmissions } from './retention-store.ts'

const DAY_MS = 86_400_000

/** A form that keeps its submissions for a number of days. */
export interface FormRetention {
  formId: number
  slug: string
  days: number
  /** Submissions sent before this time (UTC text) are deleted. */
  before: string
  count: number
}

/**
 * Counts the submissions that `applyRetention` would delete, for each form with `retention_days`. Forms without it
 * keep theirs (§2.1).
 */
export async function planRetention(db: Db, { now }: { now: Date }): Promise<FormRetention[]> {
  const plans: FormRetention[] = []
  for (const rule of await listRules(db, now)) {
    plans.push({ ...rule, count: await countSubmissions(db, rule.formId, rule) })
  }
  return plans
}

// Limited to 1970: a date can't be 300,000,000 days ago.
async function listRules(db: Db, now: Date): Promise<Omit<FormRetention, 'count'>[]> {
  return (await listForms(db)).flatMap(({ id: formId, slug, settings: { retention_days: days } }) =>
    days == null
      ? []
      : [{ formId, slug, days, before: new Date(Math.max(0, now.getTime() - days * DAY_MS)).toISOString() }],
  )
}

/**
 * Deletes the submissions that are past their form's retention time, with everything that belongs to them. When
 * `signal` aborts, the rest is left for the next run.
 */
export async function applyRetention(
  db: Kysely<Schema>,
  { now, files, signal }: { now: Date; files: FileStore; signal?: AbortSignal },
): Promise<FormRetention[]> {
  const done: FormRetention[] = []
  // Doesn't count first, because counting alone takes long for large forms.
  for (const rule of await listRules(db, now)) {
    const count = await removeSubmissions(db, rule.formId, { before: rule.before, files, signal })
    done.push({ ...rule, count })
  }
  if (done.some(({ count }) => count > 0)) await truncateLog(db)
  return done
}
