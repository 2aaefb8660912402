import { type Kysely, type Selectable, sql } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import type { Db, Schema } from '../../db/schema.ts'
import { type FromRow, fromRow } from '../../db/tables/columns.ts'
import { approvePreview } from './preview-store.ts'

/** Maximum number of requests for changes per link. An approval always fits. */
const MOST_REQUESTS = 20

type Table = Selectable<Schema['preview_answers']>

/** An answer from someone with a preview link. */
export type PreviewAnswer = FromRow<Table>

interface NewAnswer extends Pick<Table, 'kind' | 'name'> {
  /** Empty if there is none. */
  note: string
  /** True if an email about it is to be sent. */
  isMailed: boolean
  /** Hash of the pages that the answer is about. */
  pagesHash?: string | undefined
  now: Date
}

/**
 * Stores an answer; returns false if the pages were already approved, the link was ended, or there are too many
 * requests for changes.
 */
export function answerPreview(
  db: Kysely<Schema>,
  previewId: number,
  { kind, name, note, isMailed, pagesHash, now }: NewAnswer,
): Promise<boolean> {
  const at = now.toISOString()
  return db.transaction().execute(async (trx) => {
    const approval = { name, note, pagesHash, now }
    if (kind === 'approved' && !(await approvePreview(trx, previewId, approval))) return false
    if (kind === 'changes' && (await takesNoRequests(trx, previewId))) return false
    const about = { preview_id: previewId, kind, name, note: note === '' ? null : note, answered_at: at }
    const mail = { mail_status: isMailed ? ('pending' as const) : ('off' as const), mail_due_at: at }
    await trx
      .insertInto('preview_answers')
      .values({ ...about, ...mail })
      .execute()
    return true
  })
}

async function takesNoRequests(db: Db, previewId: number): Promise<boolean> {
  const answers = await listAnswers(db, [previewId])
  return answers.length >= MOST_REQUESTS || answers.some(isApproval)
}

function isApproval({ kind }: PreviewAnswer): boolean {
  return kind === 'approved'
}

/** Lists the answers to these previews, oldest first. */
export async function listAnswers(db: Db, previewIds: readonly number[]): Promise<PreviewAnswer[]> {
  if (previewIds.length === 0) return []
  const rows = await db
    .selectFrom('preview_answers')
    .selectAll()
    .where('preview_id', 'in', previewIds)
    .orderBy('id')
    .execute()
  return rows.map((row) => fromRow(row))
}

/**
 * Claims an answer whose email is due, so that no other process sends it; undefined if there is none. The email
 * becomes due again at `lostAt` unless it is settled before.
 */
export async function claimAnswerMail(
  db: Db,
  { now, lostAt }: { now: Date; lostAt: Date },
): Promise<(PreviewAnswer & { madeBy: string }) | undefined> {
  const due = db
    .selectFrom('preview_answers')
    .select('id')
    .where('mail_status', '=', 'pending')
    .where('mail_due_at', '<=', now.toISOString())
    .orderBy('mail_due_at')
    .limit(1)
    .$if(engineOf(db) === 'postgres', (query) => query.forUpdate().skipLocked())
  const row = await db
    .updateTable('preview_answers')
    .set({ mail_due_at: lostAt.toISOString(), mail_attempts: sql<number>`mail_attempts + 1` })
    .where('id', 'in', due)
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  const { madeBy } = await db
    .selectFrom('publish_previews')
    .select('made_by as madeBy')
    .where('id', '=', row.preview_id)
    .executeTakeFirstOrThrow()
  return { ...fromRow(row), madeBy }
}

/** Closes the email about an answer, or schedules its next attempt. */
export async function settleAnswerMail(
  db: Db,
  id: number,
  { status, dueAt, error }: { status: PreviewAnswer['mailStatus']; dueAt: Date; error: string | null },
): Promise<void> {
  await db
    .updateTable('preview_answers')
    .set({ mail_status: status, mail_due_at: dueAt.toISOString(), mail_error: error })
    .where('id', '=', id)
    .execute()
}
