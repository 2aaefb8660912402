import type { Replay } from './replay-deliveries.ts'

type Refused = Exclude<Replay['kind'], 'queued'>

/** What is said of one, and of several. */
const REASONS: Record<Refused, readonly [string, string]> = {
  not_found: ['is not there any more', 'are not there any more'],
  unfinished: ['is still being sent', 'are still being sent'],
  nothing_was_sent: [
    'was never sent, so there are no bytes; render it again',
    'were never sent, so there are no bytes; render them again',
  ],
  no_submission: [
    'was a test with made-up answers; send another test',
    'were tests with made-up answers; send another test',
  ],
  spam: [
    'is of a submission that is spam; take that out of spam first',
    'are of submissions that are spam; take those out of spam first',
  ],
  webhook_gone: ['has no webhook any more', 'have no webhook any more'],
  not_matching: [
    'does not match the conditions of its webhook; open it to send it anyway',
    'do not match the conditions of their webhook; open one to send it anyway',
  ],
  webhook_off: [
    'has a webhook that is switched off; switch it on first',
    'have a webhook that is switched off; switch it on first',
  ],
}

/** Why deliveries are not sent again, said of so many: `is still being sent`. */
export function reasonOf(kind: Refused, count = 1): string {
  return REASONS[kind][count === 1 ? 0 : 1]
}

/** Says what became of replays. */
export function describeReplays(replays: readonly Replay[]): { message: string; queued: number } {
  if (replays.length === 0) return { message: 'There was nothing then to send again.', queued: 0 }
  const groups = Map.groupBy(replays, ({ kind }) => kind)
  const queued = groups.get('queued') ?? []
  const reasons = [...groups].flatMap(([kind, { length }]) =>
    kind === 'queued' ? [] : [`${length === 1 ? 'One' : length} ${reasonOf(kind, length)}.`],
  )
  return { message: [...describeQueued(queued), ...reasons].join(' '), queued: queued.length }
}

function describeQueued(queued: readonly Replay[]): string[] {
  const { length } = queued
  if (length === 0) return []
  const isPaused = queued.some((replay) => replay.kind === 'queued' && replay.isPaused)
  if (isPaused)
    return [
      `${length === 1 ? 'One delivery waits' : `${length} deliveries wait`} until the webhook is resumed.`,
    ]
  return [`${length === 1 ? 'One delivery is' : `${length} deliveries are`} on the way.`]
}
