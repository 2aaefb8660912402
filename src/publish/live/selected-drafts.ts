import type { Db } from '../../db/schema.ts'
import { findEntryById, listTermIdsOfEntry } from '../../entries/entry-lookup-store.ts'
import { type EntrySnapshot, toSnapshot } from '../../entries/history/entry-snapshot.ts'
import { entrySubject } from '../../entries/history/record-entry.ts'
import { loadRestored } from '../../entries/history/restore-entry.ts'
import { withTodaysNames } from '../../entries/offers/todays-names.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import { findContentTypeById } from '../../entries/types/content-type-store.ts'
import { findEditedSettings } from '../../site/settings/settings-draft.ts'
import type { SiteSettings } from '../../site/settings/site-settings.ts'
import { findDraft } from '../../versions/version-store.ts'
import type { SelectedChange } from '../changes/change-store.ts'

/** Drafts to show in place of saved versions. */
export interface SelectedDrafts {
  /** By the ID of the entry. */
  entries: ReadonlyMap<number, EntrySnapshot>
  settings: SiteSettings | undefined
}

/** Loads the selected drafts as a publish would show them. */
export async function loadSelectedDrafts(
  db: Db,
  selected: readonly SelectedChange[],
): Promise<SelectedDrafts> {
  const drafts = selected.filter(({ draft }) => draft !== undefined)
  const entries = new Map<number, EntrySnapshot>()
  for (const { subject, subjectId } of drafts) {
    const snapshot = subject === 'entry' ? await findDrafted(db, Number(subjectId)) : undefined
    if (snapshot) entries.set(Number(subjectId), snapshot)
  }
  const hasSettings = drafts.some(({ subject }) => subject === 'setting')
  return { entries, settings: hasSettings ? (await findEditedSettings(db)).settings : undefined }
}

async function findDrafted(db: Db, id: number): Promise<EntrySnapshot | undefined> {
  const entry = await findEntryById(db, id)
  const type = entry && (await findContentTypeById(db, entry.typeId))
  if (!type) return undefined
  const stored = await findDraft(db, entrySubject(id))
  // An entry that was never published is its own draft.
  const drafted = stored
    ? await loadRestored(db, { entry }, stored)
    : { ...toSnapshot(entry, await listTermIdsOfEntry(db, id)), status: 'published' as const }
  const { inherits } = rulesOf(type.slug)
  const isGenerated = drafted.termIds.length === 0 && ((await inherits?.isWhole(db, drafted)) ?? false)
  const data = await withTodaysNames(db, { type: type.slug, data: drafted.data })
  return { ...drafted, data, isGenerated }
}
