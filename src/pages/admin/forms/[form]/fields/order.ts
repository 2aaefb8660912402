import type { APIRoute } from 'astro'
import { z } from 'zod'
import { editingOf, findFormOfPage, noteChange } from '#src/admin/forms/form-context.ts'
import { readForm } from '#src/admin/kit/admin-form.ts'
import { redirectWithMessage } from '#src/admin/kit/flash.ts'
import { notFound } from '#src/admin/kit/not-found.ts'
import { getAdministrator } from '#src/admin/kit/page-context.ts'
import { editForm } from '#src/forms/edit-form.ts'
import { moveField, orderFields } from '#src/forms/fields/edit-fields.ts'

const POSTED = z.union([
  z.object({ names: z.array(z.string()) }),
  z.object({ name: z.string(), by: z.enum(['-1', '1']).transform(Number) }),
])

/** Moves one field by a place, or puts all in another order. */
export const POST: APIRoute = async (context) => {
  getAdministrator(context)
  const form = await findFormOfPage(context)
  const posted = POSTED.safeParse(await readForm(context.request))
  if (!form || !posted.success) return notFound(context)
  const change =
    'names' in posted.data ? orderFields(posted.data.names) : moveField(posted.data.name, posted.data.by)
  const outcome = await editForm(context.locals.app.db, form.slug, change, editingOf(context))
  const address = `/admin/forms/${form.slug}`
  if (outcome.kind !== 'saved')
    return redirectWithMessage(
      context,
      address,
      'The order could not be saved: a field of this form is wrong.',
      'error',
    )
  await noteChange(context, form, 'form.changed', `Put the fields of ${form.name} in another order`)
  const focus = 'name' in posted.data ? `?focus=${posted.data.name}:${posted.data.by}` : ''
  return redirectWithMessage(context, address + focus, 'The order is saved.')
}
