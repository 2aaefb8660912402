import type { PostDeadline } from '../limits/post-deadline.ts'
import type { PostLimits } from '../limits/post-limits.ts'
import type { SenderNames } from '../limits/sender-names.ts'
import type { SpentChallenge } from '../limits/spent-challenge-store.ts'
import type { NewSubmission } from '../submission.ts'
import type { NewUpload } from '../uploads/upload.ts'
import type { PostedForm } from './form-cache.ts'

/** A checked submission, ready for its transaction. */
export interface PendingSubmission extends PostedForm {
  submission: NewSubmission
  /** The post's place in its sender's limits; see `PostLimits`. */
  sender?: SenderNames | undefined
  /** The challenge that the post uses up. */
  spends?: SpentChallenge | undefined
  /** Files already on disk. */
  uploads?: readonly NewUpload[]
  deadline?: PostDeadline
}

export interface CommitOptions {
  siteUrl: string
  /** True if there is a mail server; otherwise no emails are planned. */
  sendsMail?: boolean | undefined
  /** Counts shared by several servers. */
  limits?: Pick<PostLimits, 'countTogether'> | undefined
}
