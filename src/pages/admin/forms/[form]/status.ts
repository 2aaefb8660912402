import type { APIRoute } from 'astro'
import { editingOf, findFormOfPage } from '#src/admin/forms/form-context.ts'
import { readForm } from '#src/admin/kit/admin-form.ts'
import { appOf, finish, notFound } from '#src/admin/kit/page-context.ts'
import { FORM_STATUSES } from '#src/forms/form.ts'
import { setFormStatus } from '#src/forms/form-store.ts'

const DONE = {
  active: 'The form takes answers now. It is on its pages after the next publish.',
  draft: 'The form takes no answers any more. It is off its pages after the next publish.',
  archived: 'The form is closed and says so. It is off its pages after the next publish.',
}

/** Any status to any (§3). */
export const POST: APIRoute = async (context) => {
  const form = await findFormOfPage(context)
  const posted = await readForm(context.request)
  const status = FORM_STATUSES.find((one) => one === posted.status)
  if (!form || !status) return notFound(context)
  const { id, slug, name } = form
  const { updatedBy, now } = editingOf(context)
  await setFormStatus(appOf(context).db, id, status, { now: now.toISOString(), updatedBy })
  const change = { action: `form.${status}`, id, summary: `Made the form ${name} ${status}` } as const
  return finish(context, change, { to: `/admin/forms/${slug}`, text: DONE[status] })
}
