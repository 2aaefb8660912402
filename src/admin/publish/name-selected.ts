import type { Db } from '../../db/schema.ts'
import { pendingTexts } from '../../messages/admin/history/pending.ts'
import { nameSubjects } from '../../publish/pending/describe-change.ts'
import type { Preview } from '../../publish/previews/preview-store.ts'

const NAMED = 8

/** Returns the names of what a preview of selected changes shows; undefined for a preview of all changes. */
export async function nameSelected(
  db: Db,
  previews: readonly Preview[],
): Promise<(preview: Preview) => string | undefined> {
  const selected = previews.flatMap((preview) => preview.selected ?? [])
  if (selected.length === 0) return () => undefined
  const nameOf = await nameSubjects(db, selected)
  return ({ selected: changes }) => {
    if (!changes) return undefined
    const names = changes.map((one) =>
      one.subject === 'setting' ? pendingTexts.siteSettings : (nameOf(one) ?? pendingTexts.deleted),
    )
    return pendingTexts.names([...new Set(names)], NAMED)
  }
}
