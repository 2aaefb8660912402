import type { APIRoute } from 'astro'
import { showPreview } from '#src/admin/entries/preview/preview-page.ts'
import { findVersionedEntry } from '#src/admin/entries/versions/versioned-entry.ts'
import { appOf, notFound } from '#src/admin/kit/page-context.ts'
import { findVersionOf } from '#src/admin/versions/load-versions.ts'
import { inputOf, loadRestored } from '#src/entries/history/restore-entry.ts'

/** Renders a version of an entry as a page, with the current content around it. */
export const GET: APIRoute = async (context) => {
  const versioned = await findVersionedEntry(context)
  const found = versioned && (await findVersionOf(context, versioned.versioned))
  if (!found) return notFound(context)
  const { type, entry } = versioned
  const { db } = appOf(context)
  // As it would be used: a draft keeps what was saved since.
  const content = await loadRestored(db, { entry }, found)
  const input = await inputOf(db, type, content)
  return showPreview(context, { type, input, id: entry.id })
}
