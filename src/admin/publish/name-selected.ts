import type { Db } from '../../db/schema.ts'
import { pendingTexts } from '../../messages/admin/history/pending.ts'
import { previewTexts } from '../../messages/admin/history/previews.ts'
import type { SelectedChange } from '../../publish/changes/change-store.ts'
import { nameSubjects } from '../../publish/pending/describe-change.ts'
import type { Preview } from '../../publish/previews/preview-store.ts'
import { fixedKey } from '../../site/pages/page-key.ts'

const NAMED = 8

/** Returns a function that names what a preview of selected changes shows; empty for a preview of all changes. */
export async function nameSelected(
  db: Db,
  previews: readonly Preview[],
): Promise<(preview: Preview) => string> {
  const selected = previews.flatMap((preview) => preview.selected ?? [])
  const nameSubject = selected.length > 0 ? await nameSubjects(db, selected) : () => undefined
  const list = (names: readonly string[]) => pendingTexts.names([...new Set(names)], NAMED)
  return (preview) => {
    const nameOf = (change: SelectedChange) =>
      change.subject === 'setting' ? nameSettings(preview) : (nameSubject(change) ?? pendingTexts.deleted)
    const { selected: changes = [] } = preview
    return list(changes.map((one) => (one.draft ? previewTexts.draftOf(nameOf(one)) : nameOf(one))))
  }
}

/** Names the settings of a preview by the parts that changed when it was made. */
export function nameSettings({ edits }: Preview): string {
  return edits.find(({ page }) => page === fixedKey('/'))?.name ?? pendingTexts.siteSettings
}
