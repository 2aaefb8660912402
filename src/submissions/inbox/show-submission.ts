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

/** A submission as its page shows it. */
export interface ShownSubmission {
  submission: Submission
  /** Today's names of its service and place. */
  names: SubmissionNames
  /** Undefined when it is gone. */
  form: Form | undefined
  /** Under the labels of their time. */
  answers: LabelledAnswer[]
  notes: Note[]
}

/**
 * A submission for someone who reads it: what was new is read then, if they may sort it. Undefined when there is none of
 * that id in the scope.
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
