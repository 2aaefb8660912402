import type { APIRoute } from 'astro'
import { readForm } from '../../../../components/admin/admin-form.ts'
import { redirectWithMessage } from '../../../../components/admin/flash.ts'
import { getAdministrator, readId, recordChange } from '../../../../components/admin/page-context.ts'
import { describeReplays } from '../../../../webhooks/describe-replays.ts'
import { replayDelivery } from '../../../../webhooks/replay-deliveries.ts'

/** Sends a delivery again, and leads to the new one. */
export const POST: APIRoute = async (context) => {
  getAdministrator(context)
  const { db, dispatcher } = context.locals.app
  const id = readId(context.params.id)
  const mode = (await readForm(context.request)).mode === 'render_again' ? 'render_again' : 'same_bytes'
  const replay = await replayDelivery(db, id, { mode, now: new Date() })
  if (replay.kind === 'not_found') return context.rewrite('/admin/not-found')
  const { message } = describeReplays([replay])
  if (replay.kind !== 'queued')
    return redirectWithMessage(context, `/admin/deliveries/${id}`, message, 'error')
  dispatcher.wake()
  const summary = `Sent delivery ${id} again as ${replay.deliveryId}`
  await recordChange(context, {
    action: 'delivery.replayed',
    subjectType: 'delivery',
    subjectId: id,
    summary,
  })
  return redirectWithMessage(context, `/admin/deliveries/${replay.deliveryId}`, message)
}
