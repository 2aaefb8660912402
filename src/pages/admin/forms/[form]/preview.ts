import type { APIRoute } from 'astro'
import { findFormOfPage } from '../../../../admin/forms/form-context.ts'
import { readForm } from '../../../../admin/kit/admin-form.ts'
import { notFound } from '../../../../admin/kit/not-found.ts'
import { getAdministrator } from '../../../../admin/kit/page-context.ts'
import { withFieldTexts } from '../../../../forms/fields/preview-fields.ts'
import { previewForm } from '../../../../site/forms/preview-form.ts'

/** The form in the look of the site, as it is stored; a POST shows it with the field that is being typed. */
export const ALL: APIRoute = async (context) => {
  getAdministrator(context)
  const { db, config } = context.locals.app
  const stored = await findFormOfPage(context)
  if (!stored) return notFound(context)
  const form =
    context.request.method === 'POST' ? withFieldTexts(stored, await readForm(context.request)) : stored
  const action = `/admin/forms/${form.slug}/trial`
  context.locals.page = await previewForm(db, form, { siteUrl: config.siteUrl, now: new Date(), action })
  return context.rewrite(new Request(new URL('/preview', context.url)))
}
