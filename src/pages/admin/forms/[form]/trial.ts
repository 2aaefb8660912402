import type { APIRoute } from 'astro'
import { findFormOfPage } from '#src/admin/forms/form-context.ts'
import { readTrial } from '#src/admin/forms/read-trial.ts'
import { appOf, notFound } from '#src/admin/kit/page-context.ts'
import { successHeading } from '#src/messages/visitor/forms.ts'
import { loadSuccessHtml } from '#src/site/forms/form-view.ts'
import { tryForm } from '#src/site/forms/preview-form.ts'

/**
 * Shows what a visitor would see after sending the form. Answers are checked as in a real post, but nothing is
 * stored.
 */
export const POST: APIRoute = async (context) => {
  const { db, config } = appOf(context)
  const form = await findFormOfPage(context)
  if (!form) return notFound(context)
  const options = { siteUrl: config.siteUrl, now: new Date(), action: context.url.pathname }
  const trial = await tryForm(db, form, await readTrial(context.request), options)
  if (context.request.headers.get('accept')?.includes('application/json')) {
    if (trial.kind === 'invalid') return Response.json({ errors: trial.errors }, { status: 422 })
    const heading = form.settings.success_heading ?? successHeading
    return Response.json({ success: { heading, body: await loadSuccessHtml(db, form), redirect_url: null } })
  }
  context.locals.page = trial.page
  return context.rewrite(new Request(new URL('/preview', context.url)))
}
