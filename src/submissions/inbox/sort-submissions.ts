import type { Kysely } from 'kysely'
import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Schema } from '../../db/schema.ts'
import { truncateLog } from '../../db/truncate-log.ts'
import type { FileStore } from '../../files/file-store.ts'
import { deleteSubmissions } from '../retention/retention-store.ts'
import { listSubmissionsById } from '../submission-store.ts'
import { removeUploadFiles } from '../uploads/upload-sweep.ts'
import type { SubmissionStatus } from './inbox-filter.ts'
import { updateStatus } from './inbox-store.ts'
import { markNotSpam, markSpam } from './mark-spam.ts'

/** Actions on several submissions at once. */
export const SORTINGS = ['read', 'unread', 'archive', 'restore', 'spam', 'not_spam'] as const

export type Sorting = (typeof SORTINGS)[number]

const CHANGES: Readonly<
  Record<Exclude<Sorting, 'spam' | 'not_spam'>, { from: readonly SubmissionStatus[]; to: SubmissionStatus }>
> = {
  read: { from: ['new'], to: 'read' },
  unread: { from: ['read'], to: 'new' },
  archive: { from: ['new', 'read'], to: 'archived' },
  restore: { from: ['archived'], to: 'read' },
}

/** The submissions that an action changed. */
export interface Sorted extends SentOfSpam {
  ids: number[]
}

/** Of the submissions marked as not spam, the numbers of those that are now delivered, or were before. */
export interface SentOfSpam {
  sending: number
  sentBefore: number
}

/**
 * Applies an action to submissions; returns those changed. Marking as spam cancels deliveries; marking as not spam
 * sends them: wake the dispatcher afterwards.
 */
export async function sortSubmissions(
  db: Kysely<Schema>,
  ids: readonly number[],
  sorting: Sorting,
  options: { scope: LeadScope; siteUrl: string; sendsMail: boolean; now: Date },
): Promise<Sorted> {
  const sorted: Sorted = { ids: [], sending: 0, sentBefore: 0 }
  if (sorting !== 'spam' && sorting !== 'not_spam')
    return { ...sorted, ids: await updateStatus(db, ids, { ...CHANGES[sorting], scope: options.scope }) }
  for (const id of ids) {
    const changed = sorting === 'spam' ? await markSpam(db, id, options) : await markNotSpam(db, id, options)
    if (!changed) continue
    sorted.ids.push(id)
    if (changed === 'sending') sorted.sending += 1
    if (changed === 'sent_before') sorted.sentBefore += 1
  }
  return sorted
}

/** Deletes submissions with their files, deliveries, emails, and notes. At most 500 at once. */
export async function deleteSelected(
  db: Kysely<Schema>,
  chosen: readonly number[],
  { files, scope }: { files: FileStore; scope: LeadScope },
): Promise<void> {
  const ids = (await listSubmissionsById(db, chosen, scope)).map(({ id }) => id)
  await removeUploadFiles(db, ids, { files })
  await deleteSubmissions(db, ids)
  await truncateLog(db)
}
