import type { APIRoute } from 'astro'
import { showPreview } from '#src/admin/entries/preview/preview-page.ts'
import { findVersionedEntry, findVersionOf } from '#src/admin/entries/versions/load-versions.ts'
import { notFound } from '#src/admin/kit/page-context.ts'
import { inputOf } from '#src/entries/history/restore-entry.ts'

/** A version of an entry as a page, among the content of today. */
export const GET: APIRoute = async (context) => {
  const versioned = await findVersionedEntry(context)
  const found = versioned && (await findVersionOf(context, versioned))
  if (!found) return notFound(context)
  const { type, entry } = versioned
  return showPreview(context, { type, input: inputOf(type, found.snapshot), id: entry.id })
}
