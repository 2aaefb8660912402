import type { Db } from '../../db/schema.ts'
import { isUpload } from '../../forms/field-types/field-types.ts'
import type { Answers, FormField } from '../../forms/form.ts'
import type { NewSubmission } from '../submission.ts'
import { updateAnswers } from '../submission-store.ts'
import type { NewUpload, PostedFiles } from './upload.ts'
import { insertUploads } from './upload-store.ts'

/** The files of a checked post. */
export function listUploads(
  fields: readonly FormField[],
  answers: Answers,
  posted: PostedFiles | undefined,
): NewUpload[] {
  if (!posted) return []
  return fields.flatMap((field) => {
    const fieldName = field.name
    const [received] = isUpload(field) && answers[fieldName] ? (posted.byField[fieldName] ?? []) : []
    if (!received || received.type === null) return []
    const { name, size, type, file } = received
    return [{ fieldName, name, size, type, file, folder: posted.folder }]
  })
}

/**
 * Stores the files of a submission that was just inserted. The returned answers, and those in the row, contain the
 * IDs of the upload rows as `upload_id`.
 */
export async function attachUploads(
  db: Db,
  submissionId: number,
  { answers, submittedAt }: NewSubmission,
  uploads: readonly NewUpload[],
): Promise<Answers> {
  const ids = await insertUploads(db, submissionId, uploads, { now: submittedAt })
  const named = uploads.map(({ fieldName, name, size, type }) => [
    fieldName,
    { name, size, type, upload_id: Number(ids.get(fieldName)) },
  ])
  const complete: Answers = { ...answers, ...Object.fromEntries(named) }
  await updateAnswers(db, submissionId, complete)
  return complete
}
