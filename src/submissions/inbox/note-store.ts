import { type LeadScope, namesInScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import { fromRow, toRow } from '../../db/tables/columns.ts'

/** An administrator's note on a submission. */
export interface Note {
  id: number
  /** Name of the author, or their email address, which stays after the account is deleted. */
  author: string
  body: string
  createdAt: string
}

/** Lists a submission's notes, oldest first. */
export async function listNotes(db: Db, submissionId: number, scope: LeadScope): Promise<Note[]> {
  const rows = await db
    .selectFrom('submission_notes as note')
    .leftJoin('admin_users as user', 'user.id', 'note.user_id')
    .select(({ fn }) => fn.coalesce('user.name', 'note.user_email').as('author'))
    .select(['note.id', 'note.body', 'note.created_at'])
    .where('note.submission_id', '=', submissionId)
    .where(namesInScope(db, scope, 'note.submission_id'))
    .orderBy('note.id')
    .execute()
  return rows.map(fromRow)
}

/** Lists the texts of the notes on each of these submissions. */
export async function listNotesOf(db: Db, submissionIds: readonly number[]): Promise<Map<number, string[]>> {
  if (submissionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('submission_notes')
    .select(['submission_id', 'body'])
    .where('submission_id', 'in', submissionIds)
    .orderBy('id')
    .execute()
  const bySubmission = Map.groupBy(rows, (row) => row.submission_id)
  return new Map([...bySubmission].map(([id, notes]) => [id, notes.map(({ body }) => body)]))
}

export async function insertNote(
  db: Db,
  submissionId: number,
  { author, body }: { author: { id: number; email: string }; body: string },
  { now }: { now: Date },
): Promise<void> {
  const note = {
    submissionId,
    userId: author.id,
    userEmail: author.email,
    body,
    createdAt: now.toISOString(),
  }
  await db.insertInto('submission_notes').values(toRow(note)).execute()
}

/** Deletes a note; returns false if the submission has no note with that ID. */
export async function deleteNote(
  db: Db,
  id: number,
  { submissionId, scope }: { submissionId: number; scope: LeadScope },
): Promise<boolean> {
  const result = await db
    .deleteFrom('submission_notes')
    .where('id', '=', id)
    .where('submission_id', '=', submissionId)
    .where(namesInScope(db, scope, 'submission_notes.submission_id'))
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}
