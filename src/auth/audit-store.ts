import type { Db } from '../db/schema.ts'

/** What somebody did, for the log. */
export interface AuditEntry {
  /** Null when no administrator did it. */
  userId: number | null
  userEmail: string
  /** Subject and verb, such as `form.archived`. */
  action: string
  /** What it was done to, such as `form` and `7`. */
  subjectType?: string
  subjectId?: string | number
  /** One plain sentence without secrets, such as `Archived the form Quote`. */
  summary: string
  address: string
}

export async function insertAuditEntry(db: Db, entry: AuditEntry, { now }: { now: Date }): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({
      happened_at: now.toISOString(),
      user_id: entry.userId,
      user_email: entry.userEmail,
      action: entry.action,
      subject_type: entry.subjectType ?? null,
      subject_id: entry.subjectId === undefined ? null : String(entry.subjectId),
      summary: entry.summary,
      address: entry.address,
    })
    .execute()
}
