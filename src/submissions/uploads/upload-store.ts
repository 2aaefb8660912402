import type { Selectable } from 'kysely'
import { type LeadScope, namesInScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db, Schema } from '../../db/schema.ts'
import type { NewUpload, Upload } from './upload.ts'

/** Stores the files of a submission, in its transaction; returns their IDs by field name. */
export async function insertUploads(
  db: Db,
  submissionId: number,
  uploads: readonly NewUpload[],
  { now }: { now: string },
): Promise<Map<string, number>> {
  const rows = await db
    .insertInto('uploads')
    .values(
      uploads.map(({ fieldName, ...upload }) => ({
        ...upload,
        field_name: fieldName,
        submission_id: submissionId,
        created_at: now,
      })),
    )
    .returning(['id', 'field_name'])
    .execute()
  return new Map(rows.map((row) => [row.field_name, row.id]))
}

/** Returns true if a submission has a file. */
export async function hasUploads(db: Db): Promise<boolean> {
  return (await db.selectFrom('uploads').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Returns the upload with that ID. */
export async function findUpload(db: Db, id: number, scope: LeadScope): Promise<Upload | undefined> {
  const row = await db
    .selectFrom('uploads')
    .selectAll()
    .where('id', '=', id)
    .where(namesInScope(db, scope, 'uploads.submission_id'))
    .executeTakeFirst()
  return row && toUpload(row)
}

/** Lists the distinct folders that hold these submissions' files. */
export async function listUploadFolders(db: Db, submissionIds: readonly number[]): Promise<string[]> {
  if (submissionIds.length === 0) return []
  const rows = await db
    .selectFrom('uploads')
    .select('folder')
    .distinct()
    .where('submission_id', 'in', submissionIds)
    .execute()
  return rows.map(({ folder }) => folder)
}

/** Returns the folders that hold files of a submission. */
export async function listKnownFolders(db: Db, folders: readonly string[]): Promise<Set<string>> {
  if (folders.length === 0) return new Set()
  const rows = await db
    .selectFrom('uploads')
    .select('folder')
    .distinct()
    .where('folder', 'in', folders)
    .execute()
  return new Set(rows.map(({ folder }) => folder))
}

function toUpload({ submission_id, field_name, created_at, ...row }: Selectable<Schema['uploads']>): Upload {
  return { ...row, submissionId: submission_id, fieldName: field_name, createdAt: created_at }
}
