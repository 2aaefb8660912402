import type { APIRoute } from 'astro'
import { showPreview } from '#src/admin/entries/preview/preview-page.ts'
import { readFormData } from '#src/admin/kit/admin-form.ts'
import { getAdministrator, readId } from '#src/admin/kit/page-context.ts'
import { readEntryInput } from '#src/entries/editing/entry-input.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { toPosted } from '#src/entries/types/posted-fields.ts'
import { slugOf } from '#src/lib/slug.ts'
import { previewTexts } from '#src/messages/admin/editing.ts'

/** Renders an entry's page from the editor's form, saved or not. */
export const POST: APIRoute = async (context) => {
  getAdministrator(context)
  const type = await findContentType(context.locals.app.db, context.params.type ?? '')
  if (!type) return new Response(`${previewTexts.unknownType}\n`, { status: 404 })
  const posted = toPosted(await readFormData(context.request))
  const input = readEntryInput(type, posted)
  const id = readId(posted.get('entry_id')?.[0])
  return showPreview(context, { type, input: { ...input, slug: input.slug || slugOf(input.title) }, id })
}
