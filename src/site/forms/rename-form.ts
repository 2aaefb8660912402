import type { Db } from '../../db/schema.ts'
import { listEntries, updateEntry } from '../../entries/entry-store.ts'
import { recordAround } from '../../entries/history/record-entry.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import { listContentTypes } from '../../entries/types/content-type-store.ts'
import { giveFormSlug, type RenameOutcome } from '../../forms/give-form-slug.ts'
import { renameFormInFilters } from '../../submissions/inbox/saved-filter-store.ts'
import type { Saving } from '../../versions/version.ts'
import { recordSettings } from '../settings/record-settings.ts'
import { findSavedSiteSettings, saveSiteSettings } from '../settings/site-settings-store.ts'

/**
 * Changes a form's slug and with it its addresses; built-in forms keep theirs. Updates the settings and entries that
 * refer to it, because otherwise their pages would lose the form at the next publish, and saved inbox filters. `now` is UTC text. Call it in
 * a transaction.
 */
export async function renameForm(
  db: Db,
  slug: string,
  newSlug: string,
  editing: Saving & { updatedBy?: number },
): Promise<RenameOutcome> {
  const outcome = await giveFormSlug(db, slug, newSlug, editing)
  if (outcome !== 'renamed') return outcome
  await followForm(db, slug, newSlug, editing)
  await renameFormInFilters(db, { from: slug, to: newSlug })
  return outcome
}

/** Updates the settings and entries that refer to a renamed form. */
export async function followForm(db: Db, slug: string, newSlug: string, editing: Saving): Promise<void> {
  await renameDefault(db, slug, newSlug, editing)
  // Entries that inherit their form show another entry's.
  for (const type of await listContentTypes(db))
    if (!rulesOf(type.slug).inherits) await renameInEntries(db, type.id, { slug, newSlug, ...editing })
}

async function renameDefault(db: Db, slug: string, newSlug: string, saving: Saving) {
  const settings = await findSavedSiteSettings(db)
  if (settings?.default_form !== slug) return
  const renamed = { ...settings, default_form: newSlug }
  await recordSettings(db, () => saveSiteSettings(db, renamed, saving), saving)
}

async function renameInEntries(
  db: Db,
  typeId: number,
  { slug, newSlug, ...saving }: { slug: string; newSlug: string } & Saving,
) {
  const entries = await listEntries(db, typeId, { textHas: JSON.stringify(slug) })
  for (const entry of entries.filter(({ data }) => data.form === slug)) {
    const renamed = { ...entry, data: { ...entry.data, form: newSlug } }
    await recordAround(db, entry, () => updateEntry(db, entry.id, renamed, saving), saving)
  }
}
