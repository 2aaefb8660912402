import type { AstroGlobal } from 'astro'
import { describeReplays } from '../../webhooks/replays/describe-replays.ts'
import { replayDelivery } from '../../webhooks/replays/replay-deliveries.ts'
import { recordChange } from '../audit/record-change.ts'
import type { FormValue } from '../kit/admin-form.ts'
import { redirectWithMessage, seeOther } from '../kit/flash.ts'

type Context = Pick<AstroGlobal, 'locals' | 'cookies' | 'url' | 'rewrite'>

/**
 * Sends a delivery again as its form says, and leads to the new one; to the question first when its conditions do not
 * match and nobody confirmed it.
 */
export async function replayByHand(
  context: Context,
  id: number,
  posted: Readonly<Record<string, FormValue>>,
): Promise<Response> {
  const { db, config } = context.locals.app
  const path = `/admin/deliveries/${id}`
  const mode = posted.mode === 'render_again' ? 'render_again' : 'same_bytes'
  const confirmed = typeof posted.confirmed === 'string' ? posted.confirmed : undefined
  const options = { mode, confirmed, siteUrl: config.siteUrl, now: new Date() } as const
  const replay = await replayDelivery(db, id, options)
  if (replay.kind === 'not_found') return context.rewrite('/admin/not-found')
  if (replay.kind === 'not_matching') return seeOther(`${path}/replay?mode=${mode}`)
  const { message } = describeReplays([replay])
  if (replay.kind !== 'queued') return redirectWithMessage(context, path, message, 'error')
  const anyway = confirmed === undefined ? '' : ', although the conditions did not match'
  const summary = `Sent delivery ${id} again as ${replay.deliveryId}${anyway}`
  const change = { action: 'delivery.replayed', subjectType: 'delivery', subjectId: id } as const
  await recordChange(context, { ...change, summary })
  return redirectWithMessage(context, `/admin/deliveries/${replay.deliveryId}`, message)
}
