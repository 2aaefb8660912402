import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Submission } from '../submission.ts'

export type SubmissionStatus = Submission['status']

/** The filter of the inbox; a missing key means all. */
export interface InboxFilter {
  /** Leads that the account may see at all. */
  scope: LeadScope
  formId?: number | undefined
  statuses: readonly SubmissionStatus[]
  /** Sent at this moment or later; UTC text. */
  from?: string | undefined
  /** Sent before this moment; UTC text. */
  until?: string | undefined
  /** A place and what is below it: its name or slug, today's or a former one, or a part of its name. */
  location?: string | undefined
  /** Source of the visitor, such as `ads:google`. */
  source?: string | undefined
  /** Slugs of a stage and of those that it replaces. */
  stages?: readonly string[] | undefined
  /** Administrator in charge. */
  assigneeId?: number | undefined
  /** Words that have to be in the answers, the notes, or the names of the place and the service. */
  search?: string | undefined
}

/** A place between two submissions in the order of the inbox. */
export interface InboxCursor {
  direction: 'older' | 'newer'
  submittedAt: string
  id: number
}

/** As it is in an address: `older~2026-11-20T10:00:00.000Z~7`. */
export function formatCursor({ direction, submittedAt, id }: InboxCursor): string {
  return `${direction}~${submittedAt}~${id}`
}

/** Reads a cursor; undefined when the text is invalid. */
export function parseCursor(text: string | null): InboxCursor | undefined {
  const [, direction, submittedAt, id] =
    /^(older|newer)~([^~\p{Cc}]{1,40})~(\d{1,15})$/u.exec(text ?? '') ?? []
  if (!direction || !submittedAt) return undefined
  return { direction: direction as InboxCursor['direction'], submittedAt, id: Number(id) }
}
