import type { APIRoute } from 'astro'
import { z } from 'zod'
import { editingOf, findFormOfPage } from '#src/admin/forms/form-context.ts'
import { readPosted } from '#src/admin/kit/admin-form.ts'
import { appOf, finish, notFound, refuse } from '#src/admin/kit/page-context.ts'
import { editForm } from '#src/forms/edit-form.ts'
import { moveField, orderFields } from '#src/forms/fields/edit-fields.ts'
import { formActivity } from '#src/messages/admin/forms.ts'
import { questionTexts } from '#src/messages/admin/questions.ts'

const POSTED = z.union([
  z.object({ names: z.array(z.string()) }),
  z.object({ name: z.string(), by: z.enum(['-1', '1']).transform(Number) }),
])

/** Moves one field by one position, or puts all fields in a new order. */
export const POST: APIRoute = async (context) => {
  const form = await findFormOfPage(context)
  const posted = await readPosted(context, POSTED)
  if (!form || !posted) return notFound(context)
  if ('name' in posted && !form.fields.some(({ name }) => name === posted.name)) return notFound(context)
  const change = 'names' in posted ? orderFields(posted.names) : moveField(posted.name, posted.by)
  const outcome = await editForm(appOf(context).db, form.slug, change, editingOf(context))
  const address = `/admin/forms/${form.slug}`
  if (outcome.kind !== 'saved')
    return refuse(context, {
      to: address,
      text: questionTexts.orderRefused,
    })
  const focus = 'name' in posted ? `?focus=${posted.name}:${posted.by}` : ''
  const summary = formActivity.ordered(form.name)
  const next = { to: address + focus, text: questionTexts.ordered }
  return finish(context, { action: 'form.changed', id: form.id, summary }, next)
}
