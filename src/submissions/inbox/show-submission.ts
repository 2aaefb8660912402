import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import type { Form } from '../../forms/form.ts'
import { findFormById } from '../../forms/form-store.ts'
import { nameSubmissions, type SubmissionNames } from '../search/submission-names.ts'
import type { Submission } from '../submission.ts'
import { findSubmission } from '../submission-store.ts'
import { updateStatus } from './inbox-store.ts'
import { fieldsOfTheTime, type LabelledAnswer, labelAnswers } from './label-answers.ts'
import { listNotes, type Note } from './note-store.ts'

/** A submission with everything its page shows. */
export interface ShownSubmission {
  submission: Submission
  /** Current names of its service and place. */
  names: SubmissionNames
  /** Undefined if it was deleted. */
  form: Form | undefined
  /** Labeled as they were at the time. */
  answers: LabelledAnswer[]
  notes: Note[]
}

/**
 * Loads a submission for a reader. A new one becomes read if the reader may change leads. Undefined if the scope has
 * no submission with that ID.
 */
export async function showSubmission(
  db: Db,
  id: number,
  { scope, marksRead }: { scope: LeadScope; marksRead: boolean },
): Promise<ShownSubmission | undefined> {
  const submission = await findSubmission(db, id, scope)
  if (!submission) return undefined
  const names = (await nameSubmissions(db, [submission])).get(submission)
  if (!names) return undefined
  const isRead = marksRead && submission.status === 'new'
  if (isRead) await updateStatus(db, [id], { from: ['new'], to: 'read', scope })
  const form = submission.formId === null ? undefined : await findFormById(db, submission.formId)
  const fields = form ? await fieldsOfTheTime(db, submission, form) : []
  return {
    names,
    submission: isRead ? { ...submission, status: 'read' } : submission,
    form,
    answers: labelAnswers(submission.answers, fields),
    notes: await listNotes(db, id, scope),
  }
}
