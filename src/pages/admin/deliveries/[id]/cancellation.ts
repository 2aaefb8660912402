import type { APIRoute } from 'astro'
import { recordChange } from '#src/admin/audit/record-change.ts'
import { redirectWithMessage } from '#src/admin/kit/flash.ts'
import { getAdministrator, readId } from '#src/admin/kit/page-context.ts'
import { cancelDeliveries } from '#src/webhooks/deliveries/cancel-deliveries.ts'

/** Cancels a delivery that still waits. */
export const POST: APIRoute = async (context) => {
  getAdministrator(context)
  const id = readId(context.params.id)
  const path = `/admin/deliveries/${id}`
  const count = await cancelDeliveries(context.locals.app.db, { ids: [id] }, { now: new Date() })
  if (count === 0) return redirectWithMessage(context, path, 'It does not wait any more.', 'error')
  const summary = `Cancelled delivery ${id}`
  await recordChange(context, {
    action: 'delivery.cancelled',
    subjectType: 'delivery',
    subjectId: id,
    summary,
  })
  return redirectWithMessage(context, path, 'It is cancelled and will not be sent.')
}
