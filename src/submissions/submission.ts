import type { SubmissionOrigin } from '../db/tables/submission-origin.ts'
import type { SubmissionSource } from '../db/tables/submission-source.ts'
import type { Answers, Form } from '../forms/form.ts'
import type { SpamReason } from '../messages/admin/spam.ts'

/** The answers of one visitor to one form (§2.4). */
export interface Submission extends SubmissionOrigin {
  id: number
  /** Null when the form was deleted. */
  formId: number | null
  /** The version of the form that it answered; null in submissions older than versions. */
  formVersion: number | null
  /** The visitor's `_id`, or one made up for a post that had none; null in submissions older than several forms. */
  clientId: string | null
  status: 'new' | 'read' | 'archived' | 'spam'
  /** Slug of its stage; see src/submissions/stages. */
  stage: string
  /** Administrator in charge. */
  assigneeId: number | null
  /** Why it was taken for spam. */
  spamReason: SpamReason | null
  answers: Answers
  /** UTC text. */
  submittedAt: string
  /** Source of the visitor, such as `ads:google`; null if unknown. */
  sourceName: string | null
  /** Field name → the wording of a box that was ticked. */
  consents: Readonly<Record<string, string>>
  source: SubmissionSource | null
}

/** A submission that is not stored yet. `clientId` is unique within the form. */
export interface NewSubmission extends SubmissionOrigin {
  formId: number
  formVersion: number
  clientId: string
  status: 'new' | 'spam'
  /** Why it is spam. */
  spamReason: SpamReason | null
  answers: Answers
  submittedAt: string
  /** Field name → the wording of a box that was ticked. */
  consents?: Readonly<Record<string, string>> | undefined
  sourceName?: string | null
  source?: SubmissionSource | null
}

/** The outcome of a post; contract §5 has the HTTP answer to each. */
export type SubmissionOutcome =
  | { kind: 'accepted' | 'repeated'; id: number; submittedAt: string; form: Form }
  | InvalidOutcome
  | { kind: 'too_many'; retryAfterSeconds: number }
  | { kind: 'not_found' | 'gone' }
  | UnavailableOutcome

/** The storage took nothing, or did not answer. */
interface UnavailableOutcome {
  kind: 'unavailable'
  /** Set when the answer to a commit was lost: the same `_id` then tells. */
  mayBeStored?: true
}

/** Values that show the form again. */
interface InvalidOutcome {
  kind: 'invalid'
  form: Form
  /** Field name → what to do about its answer. */
  errors: Record<string, string[]>
  /** Field name → every text sent for it, as it came. */
  values: Record<string, string[]>
  pagePath: string | null
}
