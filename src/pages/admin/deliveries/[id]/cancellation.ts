import type { APIRoute } from 'astro'
import { readForm } from '#src/admin/kit/admin-form.ts'
import { appOf, finish, leadsOf, readId, refuse, safeNext } from '#src/admin/kit/page-context.ts'
import { deliveryActivity, deliveryPage } from '#src/messages/admin/webhooks/deliveries.ts'
import { cancelDeliveries } from '#src/webhooks/deliveries/cancel-deliveries.ts'

/** Cancels a pending delivery. */
export const POST: APIRoute = async (context) => {
  const id = readId(context.params.id)
  const { next } = await readForm(context.request)
  const to = safeNext(typeof next === 'string' && next ? next : `/admin/deliveries/${id}`)
  const count = await cancelDeliveries(
    appOf(context).db,
    { ids: [id], scope: leadsOf(context) },
    { now: new Date() },
  )
  if (count === 0) return refuse(context, { to, text: deliveryPage.notPending })
  const change = { action: 'delivery.cancelled', id, summary: deliveryActivity.canceled(id) } as const
  return finish(context, change, { to, text: deliveryPage.canceled })
}
