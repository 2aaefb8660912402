import type { SubmissionOrigin } from '../db/tables/submission-origin.ts'
import type { SubmissionSource } from '../db/tables/submission-source.ts'
import type { Answers, Form } from '../forms/form.ts'
import type { SpamReason } from '../messages/admin/spam.ts'

/** The answers of one visitor to one form (§2.4). */
export interface Submission extends SubmissionOrigin {
  id: number
  /** Null if the form was deleted. */
  formId: number | null
  /** The version of the form that it answered; null in submissions from before versions. */
  formVersion: number | null
  /** The visitor's `_id`, or a generated one if the post had none; null in submissions from before multiple forms. */
  clientId: string | null
  status: 'new' | 'read' | 'archived' | 'spam'
  /** Slug of its stage; see src/submissions/stages. */
  stage: string
  /** Administrator in charge. */
  assigneeId: number | null
  /** Reason it was marked as spam. */
  spamReason: SpamReason | null
  answers: Answers
  /** UTC text. */
  submittedAt: string
  /** Source of the visitor, such as `ads:google`; null if unknown. */
  sourceName: string | null
  /** Label of each ticked box, by field name. */
  consents: Readonly<Record<string, string>>
  source: SubmissionSource | null
}

/** A submission to be stored. `clientId` is unique within the form. */
export interface NewSubmission extends SubmissionOrigin {
  formId: number
  formVersion: number
  clientId: string
  status: 'new' | 'spam'
  /** Reason it counts as spam. */
  spamReason: SpamReason | null
  answers: Answers
  submittedAt: string
  /** Its day in the site's time zone, by which it is counted: `2026-11-20`. */
  localDay: string
  /** Label of each ticked box, by field name. */
  consents?: Readonly<Record<string, string>> | undefined
  sourceName?: string | null
  source?: SubmissionSource | null
}

/** The outcome of a post. Contract §5 lists the HTTP response to each. */
export type SubmissionOutcome =
  | { kind: 'accepted' | 'repeated'; id: number; submittedAt: string; form: Form }
  | InvalidOutcome
  | { kind: 'too_many'; retryAfterSeconds: number }
  | { kind: 'not_found' | 'gone' }
  | UnavailableOutcome

/** The storage refused the post or didn't respond. */
interface UnavailableOutcome {
  kind: 'unavailable'
  /** Set if the response to a commit was lost. A retry with the same `_id` shows whether it was stored. */
  mayBeStored?: true
}

/** Values for showing the form again. */
interface InvalidOutcome {
  kind: 'invalid'
  form: Form
  /** Messages by field name: what to do about each answer. */
  errors: Record<string, string[]>
  /** All texts sent, by field name, unchanged. */
  values: Record<string, string[]>
  /** The page with the form, with the source tags of its URL. */
  pagePath: string | null
}
