import type { AstroGlobal } from 'astro'
import { deliveryActivity } from '../../messages/admin/webhooks/deliveries.ts'
import { describeReplays } from '../../webhooks/replays/describe-replays.ts'
import { replayDelivery } from '../../webhooks/replays/replay-deliveries.ts'
import type { FormValue } from '../kit/admin-form.ts'
import { seeOther } from '../kit/flash.ts'
import { finish, leadsOf, notFound, refuse, safeNext } from '../kit/page-context.ts'

type Context = Pick<AstroGlobal, 'locals' | 'cookies' | 'url' | 'rewrite' | 'request'>

/**
 * Resends a delivery as its form asks, and redirects to where it came from or the new one; to the question first if its conditions don't
 * match and nobody confirmed.
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
  const from = typeof posted.next === 'string' ? posted.next : ''
  const options = {
    scope: leadsOf(context),
    mode,
    confirmed,
    siteUrl: config.siteUrl,
    now: new Date(),
  } as const
  const replay = await replayDelivery(db, id, options)
  if (replay.kind === 'not_found') return notFound(context)
  if (replay.kind === 'not_matching')
    return seeOther(`${path}/replay?${new URLSearchParams({ mode, ...(from && { next: from }) })}`)
  const { message: text } = describeReplays([replay])
  if (replay.kind !== 'queued') return refuse(context, { to: safeNext(from || path), text })
  const { resent, resentAnyway } = deliveryActivity
  const summary = (confirmed === undefined ? resent : resentAnyway)(id, replay.deliveryId)
  const next = { to: safeNext(from || `/admin/deliveries/${replay.deliveryId}`), text }
  return finish(context, { action: 'delivery.replayed', id, summary }, next)
}
