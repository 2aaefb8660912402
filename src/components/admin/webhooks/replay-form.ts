import type { AstroGlobal } from 'astro'
import { z } from 'zod'
import type { Replay } from '../../../webhooks/replay-deliveries.ts'
import { type AdminForm, receiveForm } from '../admin-form.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

const moment = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(`${text}Z`)), 'Enter a day and a time.')
  .transform((text) => new Date(`${text}Z`).toISOString())

const WINDOW = z
  .object({
    from: moment,
    until: z
      .literal('')
      .transform(() => undefined)
      .or(moment),
    status: z.enum(['lost', 'delivered']).transform((word) => (word === 'lost' ? undefined : word)),
    mode: z.enum(['same_bytes', 'render_again']),
  })
  .refine(({ from, until }) => until === undefined || from < until, {
    path: ['until'],
    message: 'This is before the beginning.',
  })

/** The form that asks which deliveries are sent again; it begins with the last 24 hours. */
export function receiveReplay(
  astro: Pick<AstroGlobal, 'request' | 'response'>,
): Promise<AdminForm<z.output<typeof WINDOW>>> {
  const from = new Date(Date.now() - DAY_MS).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
  return receiveForm(astro, WINDOW, { from, until: '', status: 'lost', mode: 'same_bytes' })
}

/** What is said of one, and of several. */
const REASONS: Record<Exclude<Replay['kind'], 'queued'>, readonly [string, string]> = {
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
  webhook_off: [
    'has a webhook that is switched off; switch it on first',
    'have a webhook that is switched off; switch it on first',
  ],
}

/** Says what became of replays. */
export function describeReplays(replays: readonly Replay[]): { message: string; queued: number } {
  if (replays.length === 0) return { message: 'There was nothing then to send again.', queued: 0 }
  const groups = Map.groupBy(replays, ({ kind }) => kind)
  const queued = groups.get('queued') ?? []
  const reasons = [...groups].flatMap(([kind, { length }]) =>
    kind === 'queued' ? [] : [`${length === 1 ? 'One' : length} ${REASONS[kind][length === 1 ? 0 : 1]}.`],
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
  return [`${length === 1 ? 'One delivery is' : `${length} deliveries are`} on the way again.`]
}
