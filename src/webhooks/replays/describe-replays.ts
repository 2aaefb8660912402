import { resendOutcomes, resendRefusals } from '../../messages/admin/webhooks/deliveries.ts'
import type { Replay } from './replay-deliveries.ts'

type Refused = Exclude<Replay['kind'], 'queued'>

/** Returns why this number of deliveries can't be resent: `is still pending`. */
export function reasonOf(kind: Refused, count = 1): string {
  return resendRefusals[kind][count === 1 ? 'one' : 'other']
}

/** Describes the outcome of replays. */
export function describeReplays(replays: readonly Replay[]): { message: string; queued: number } {
  if (replays.length === 0) return { message: resendOutcomes.none, queued: 0 }
  const groups = Map.groupBy(replays, ({ kind }) => kind)
  const queued = groups.get('queued') ?? []
  const reasons = [...groups].flatMap(([kind, { length }]) =>
    kind === 'queued' ? [] : [resendOutcomes.refused(length, reasonOf(kind, length))],
  )
  return { message: [...describeQueued(queued), ...reasons].join(' '), queued: queued.length }
}

function describeQueued(queued: readonly Replay[]): string[] {
  if (queued.length === 0) return []
  const isPaused = queued.some((replay) => replay.kind === 'queued' && replay.isPaused)
  return [(isPaused ? resendOutcomes.queuedButPaused : resendOutcomes.queued)(queued.length)]
}
