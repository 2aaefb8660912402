import type { Db } from '../db/schema.ts'
import { findFieldsOfVersion } from '../forms/form-version-store.ts'
import type { Submission } from './submission.ts'

// Submissions from before there were versions answered what every form began with.
const FIRST_VERSION = 1

/**
 * Field name → label as the form had them when the submission was sent, in the order of that time. Empty when the form
 * is gone; an answer to no field of that version has no label.
 */
export async function labelsOf(
  db: Db,
  { formId, formVersion }: Pick<Submission, 'formId' | 'formVersion'>,
): Promise<Map<string, string>> {
  if (formId === null) return new Map()
  const fields = await findFieldsOfVersion(db, formId, formVersion ?? FIRST_VERSION)
  return new Map(fields?.map(({ name, label }) => [name, label]))
}
