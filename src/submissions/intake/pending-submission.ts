import type { PostDeadline } from '../limits/post-deadline.ts'
import type { PostLimits } from '../limits/post-limits.ts'
import type { SenderNames } from '../limits/sender-names.ts'
import type { SpentChallenge } from '../limits/spent-challenge-store.ts'
import type { NewSubmission } from '../submission.ts'
import type { NewUpload } from '../uploads/upload.ts'
import type { PostedForm } from './form-cache.ts'

/** A checked submission that waits for its transaction. */
export interface PendingSubmission extends PostedForm {
  submission: NewSubmission
  /** Counts as this sender's post, see `PostLimits`. */
  sender?: SenderNames | undefined
  /** The challenge that it was sent with, taken once. */
  spends?: SpentChallenge | undefined
  /** On disk already. */
  uploads?: readonly NewUpload[]
  deadline?: PostDeadline
}

export interface CommitOptions {
  siteUrl: string
  /** True if there is a mail server; without one no mails are planned. */
  sendsMail?: boolean | undefined
  /** Count what no memory of one server counts. */
  limits?: Pick<PostLimits, 'countTogether'> | undefined
}
