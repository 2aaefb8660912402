import type { APIRoute } from 'astro'
import { withUnpublishedPictures } from '#src/admin/editing/pictures/unpublished-pictures.ts'
import { findFormOfPage } from '#src/admin/forms/form-context.ts'
import { readForm } from '#src/admin/kit/admin-form.ts'
import { appOf, notFound } from '#src/admin/kit/page-context.ts'
import { withFieldTexts } from '#src/forms/fields/preview-fields.ts'
import { previewForm } from '#src/site/forms/preview-form.ts'

/** Shows the stored form in the site's look; a POST shows it with the field being edited. */
export const ALL: APIRoute = async (context) => {
  const { db, config } = appOf(context)
  const stored = await findFormOfPage(context)
  if (!stored) return notFound(context)
  const form =
    context.request.method === 'POST' ? withFieldTexts(stored, await readForm(context.request)) : stored
  const action = `/admin/forms/${form.slug}/trial`
  context.locals.page = await previewForm(db, form, { siteUrl: config.siteUrl, now: new Date(), action })
  const rendered = await context.rewrite(new Request(new URL('/preview', context.url)))
  return new Response(withUnpublishedPictures(await rendered.text()), rendered)
}
