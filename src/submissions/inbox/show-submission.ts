import type { Db } from '../../db/schema.ts'
import type { Form } from '../../forms/form.ts'
import { findFormById } from '../../forms/form-store.ts'
import type { Submission } from '../submission.ts'
import { findSubmission } from '../submission-store.ts'
import { updateStatus } from './inbox-store.ts'
import { fieldsOfTheTime, type LabelledAnswer, labelAnswers } from './label-answers.ts'
import { listNotes, type Note } from './note-store.ts'

/** A submission as its page shows it. */
export interface ShownSubmission {
  submission: Submission
  /** Undefined when it is gone. */
  form: Form | undefined
  /** Under the labels of their time. */
  answers: LabelledAnswer[]
  notes: Note[]
}

/** A submission for somebody who reads it: what was new is read then. Undefined when there is none of that id. */
export async function showSubmission(db: Db, id: number): Promise<ShownSubmission | undefined> {
  const submission = await findSubmission(db, id)
  if (!submission) return undefined
  if (submission.status === 'new') await updateStatus(db, [id], { from: ['new'], to: 'read' })
  const form = submission.formId === null ? undefined : await findFormById(db, submission.formId)
  const fields = form ? await fieldsOfTheTime(db, submission, form) : []
  return {
    submission: submission.status === 'new' ? { ...submission, status: 'read' } : submission,
    form,
    answers: labelAnswers(submission.answers, fields),
    notes: await listNotes(db, id),
  }
}
