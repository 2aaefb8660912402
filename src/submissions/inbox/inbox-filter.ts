import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Submission } from '../submission.ts'

export type SubmissionStatus = Submission['status']

/** The inbox filter. A missing key means no restriction. */
export interface InboxFilter {
  /** The leads that the account may see. */
  scope: LeadScope
  formId?: number | undefined
  statuses: readonly SubmissionStatus[]
  /** Sent at or after this time; UTC text. */
  from?: string | undefined
  /** Sent before this time; UTC text. */
  until?: string | undefined
  /** A place, including those below it: its current or former name or slug, or part of its name. */
  location?: string | undefined
  /** Source of the visitor, such as `ads:google`. */
  source?: string | undefined
  /** Slugs of a stage and of the stages it replaces. */
  stages?: readonly string[] | undefined
  /** Administrator in charge. */
  assigneeId?: number | undefined
  /** Words that must occur in the answers, the notes, or the names of the place and service. */
  search?: string | undefined
}

/** A position between two submissions in the inbox. */
export interface InboxCursor {
  direction: 'older' | 'newer'
  submittedAt: string
  id: number
}

/** Formats a cursor for a URL: `older~2026-11-20T10:00:00.000Z~7`. */
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
