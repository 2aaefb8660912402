import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { EVERY_LEAD, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Schema } from '../../db/schema.ts'
import { truncateLog } from '../../db/truncate-log.ts'
import type { FileStore } from '../../files/file-store.ts'
import { deleteSubmissions } from '../retention/retention-store.ts'
import { findLeadScope } from '../scope/scope-store.ts'
import type { Stage } from '../stages/stage-settings.ts'
import { removeUploadFiles } from '../uploads/upload-sweep.ts'
import type { InboxCursor, InboxFilter } from './inbox-filter.ts'
import { countShown } from './inbox-store.ts'
import { listInbox } from './list-inbox.ts'
import { listWorkable, updateAssignees, updateStages } from './progress-store.ts'
import { type SentOfSpam, type Sorting, sortSubmissions } from './sort-submissions.ts'

/** Maximum number of leads per change: more would keep the browser waiting for minutes. */
export const MOST_AT_ONCE = 10_000

// Each batch is one or more transactions, so posts wait for one at most.
const BATCH = 50
// A lead with many deliveries takes a hundred times as long as one without.
const DELETED_AT_ONCE = 10

/** Changes all leads that match a filter. */
export type BulkChange =
  | { kind: 'sort'; sorting: Sorting }
  | { kind: 'stage'; stage: Stage }
  /** Leads outside the new assignee's limits keep their assignee. */
  | { kind: 'assign'; assigneeId: number | null; limits: Parameters<typeof findLeadScope>[1] }
  | { kind: 'delete' }

export interface Matching {
  /** At most `MOST_AT_ONCE` + 1. */
  count: number
  /** The highest ID among them. Leads that arrive later are not included. */
  upTo: number
  /** When the oldest one was sent; UTC text. */
  since: string | undefined
}

/** Counts the leads that match a filter, in steps that yield to the event loop. */
export async function countMatching(db: Kysely<Schema>, filter: InboxFilter): Promise<Matching> {
  if (!filter.search && !filter.location) return countShown(db, filter, { most: MOST_AT_ONCE + 1 })
  const matching: Matching = { count: 0, upTo: 0, since: undefined }
  for await (const leads of inBatches(db, filter)) {
    matching.count += leads.length
    matching.upTo = Math.max(matching.upTo, ...leads.map(({ id }) => id))
    matching.since = leads.at(-1)?.submittedAt ?? matching.since
    if (matching.count > MOST_AT_ONCE) break
  }
  return { ...matching, count: Math.min(matching.count, MOST_AT_ONCE + 1) }
}

/** Returns the filter of the leads that a change reaches: spam has no stage or assignee. */
export function reachedBy(filter: InboxFilter, { kind }: BulkChange): InboxFilter {
  const isProgress = kind === 'stage' || kind === 'assign'
  if (!isProgress || !filter.statuses.includes('spam')) return filter
  return { ...filter, statuses: filter.statuses.filter((status) => status !== 'spam') }
}

/** The leads that a change reached. */
export interface Changed extends SentOfSpam {
  count: number
}

const NOTHING_CHANGED: Changed = { count: 0, sending: 0, sentBefore: 0 }

interface ChangeOptions {
  upTo: number
  files: FileStore
  siteUrl: string
  sendsMail: boolean
  now: Date
}

/**
 * Changes all leads up to an ID that match a filter and that the change reaches, at most `MOST_AT_ONCE`; returns those
 * changed. Runs in small transactions, newest first. If stopped halfway, it can be run again.
 */
export async function changeMatching(
  db: Kysely<Schema>,
  filter: InboxFilter,
  change: BulkChange,
  { upTo, ...options }: ChangeOptions,
): Promise<Changed> {
  let seen = 0
  const changed = { ...NOTHING_CHANGED }
  const within = await findWithin(db, change)
  for await (const leads of inBatches(db, reachedBy(filter, change))) {
    const ids = leads.map(({ id }) => id).filter((id) => id <= upTo)
    const batch = ids.slice(0, MOST_AT_ONCE - seen)
    const { count, ...sent } = await changeBatch(db, batch, change, {
      ...options,
      scope: filter.scope,
      within,
    })
    changed.count += count
    changed.sending += sent.sending
    changed.sentBefore += sent.sentBefore
    seen += batch.length
    if (seen >= MOST_AT_ONCE) break
  }
  if (change.kind === 'delete') await truncateLog(db)
  return changed
}

/** Changes those of these leads, at most 500, that the scope has and that aren't spam. Returns which, and how many changed. */
export async function changeSelected(
  db: Kysely<Schema>,
  selected: readonly number[],
  change: BulkChange,
  options: Omit<ChangeOptions, 'upTo'> & { scope: LeadScope },
): Promise<Changed & { ids: number[] }> {
  const within = await findWithin(db, change)
  const ids = await listWorkable(db, selected, options.scope)
  return { ids, ...(await changeBatch(db, ids, change, { ...options, within })) }
}

type BatchOptions = Omit<ChangeOptions, 'upTo'> & Record<'scope' | 'within', LeadScope>

async function findWithin(db: Kysely<Schema>, change: BulkChange): Promise<LeadScope> {
  return change.kind === 'assign' ? findLeadScope(db, change.limits) : EVERY_LEAD
}

async function changeBatch(
  db: Kysely<Schema>,
  ids: readonly number[],
  change: BulkChange,
  options: BatchOptions,
): Promise<Changed> {
  if (change.kind !== 'sort') return { ...NOTHING_CHANGED, count: await changeRows(db, ids, change, options) }
  const { ids: sorted, ...sent } = await sortSubmissions(db, ids, change.sorting, options)
  return { count: sorted.length, ...sent }
}

function changeRows(
  db: Kysely<Schema>,
  ids: readonly number[],
  change: Exclude<BulkChange, { kind: 'sort' }>,
  options: BatchOptions,
): Promise<number> {
  const { scope, within } = options
  switch (change.kind) {
    case 'stage':
      return updateStages(db, ids, { stage: change.stage, scope })
    case 'assign':
      return updateAssignees(db, ids, { assigneeId: change.assigneeId, scope, within })
    case 'delete':
      return deleteInSteps(db, ids, options)
  }
}

// The query that provides the IDs applies the scope.
async function deleteInSteps(
  db: Kysely<Schema>,
  ids: readonly number[],
  { files }: BatchOptions,
): Promise<number> {
  for (let start = 0; start < ids.length; start += DELETED_AT_ONCE) {
    const step = ids.slice(start, start + DELETED_AT_ONCE)
    await removeUploadFiles(db, step, { files })
    await deleteSubmissions(db, step)
    await nextTurn()
  }
  return ids.length
}

async function* inBatches(db: Kysely<Schema>, filter: InboxFilter) {
  let cursor: InboxCursor | undefined
  do {
    const { submissions, older } = await listInbox(db, filter, { cursor, limit: BATCH })
    yield submissions
    await nextTurn()
    cursor = older
  } while (cursor)
}
