import type { APIRoute } from 'astro'
import { editingOf, findFormOfPage } from '#src/admin/forms/form-context.ts'
import { readForm } from '#src/admin/kit/admin-form.ts'
import { appOf, finish, notFound } from '#src/admin/kit/page-context.ts'
import { changeFormStatus } from '#src/forms/edit-form.ts'
import { FORM_STATUSES } from '#src/forms/form.ts'
import { formActivity, formsPage } from '#src/messages/admin/forms.ts'

/** Sets the status; any transition is allowed (§3). */
export const POST: APIRoute = async (context) => {
  const form = await findFormOfPage(context)
  const posted = await readForm(context.request)
  const status = FORM_STATUSES.find((one) => one === posted.status)
  if (!form || !status) return notFound(context)
  const { id, slug, name } = form
  const isChanged = await changeFormStatus(appOf(context).db, slug, status, editingOf(context))
  if (!isChanged) return notFound(context)
  const change = { action: `form.${status}`, id, summary: formActivity.statusChanged(name, status) } as const
  return finish(context, change, { to: `/admin/forms/${slug}`, text: formsPage.statusChanged[status] })
}
