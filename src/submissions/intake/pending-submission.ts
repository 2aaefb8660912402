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
  /** Place of the post in its sender's limits; see `PostLimits`. */
  sender?: SenderNames | undefined
  /** The challenge that the post spends. */
  spends?: SpentChallenge | undefined
  /** Files that are on disk already. */
  uploads?: readonly NewUpload[]
  deadline?: PostDeadline
}

export interface CommitOptions {
  siteUrl: string
  /** True if there is a mail server; without one no mails are planned. */
  sendsMail?: boolean | undefined
  /** Counts that several servers share. */
  limits?: Pick<PostLimits, 'countTogether'> | undefined
}
