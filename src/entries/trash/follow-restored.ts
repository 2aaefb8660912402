import type { Db } from '../../db/schema.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Saving } from '../../versions/version.ts'
import { findEntryById } from '../entry-lookup-store.ts'
import { updateEntry } from '../entry-store.ts'
import { recordAround } from '../history/record-entry.ts'
import { endOverdueSchedules } from '../history/scheduled-draft.ts'
import type { EntryRows } from './entry-rows-store.ts'
import { leaveLinks, leaveMentions } from './leave-in-trash.ts'
import type { Mention } from './trash-entry.ts'

/** Rows that were restored together. */
export interface RestoredRows {
  /** IDs of entries. */
  ids: ReadonlySet<number>
  /** Links whose other ends are missing. */
  links: EntryRows['links']
  mentions: readonly Mention[]
}

/**
 * Restores what refers to restored rows, and ends the schedules of their overdue drafts. Call it once for all of them:
 * each step reads the whole trash, or all scheduled drafts.
 */
export async function followRestored(
  db: Db,
  restored: readonly RestoredRows[],
  saving: Saving,
): Promise<void> {
  await endOverdueSchedules(db, new Set(restored.flatMap(({ ids }) => [...ids])), saving)
  const links = restored.flatMap((rows) => rows.links)
  await leaveLinks(db, links)
  const left: Mention[] = []
  for (const mention of restored.flatMap(({ mentions }) => mentions)) {
    const { entryId, before, after } = mention
    const naming = await findEntryById(db, entryId)
    if (!naming) left.push(mention)
    if (!naming || canonicalJson(naming.data) !== canonicalJson(after)) continue
    const named = { ...naming, data: before }
    await recordAround(db, naming, () => updateEntry(db, entryId, named, saving), saving)
  }
  await leaveMentions(db, left)
}
