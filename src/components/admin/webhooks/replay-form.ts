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

const REASONS: Record<Exclude<Replay['kind'], 'queued'>, string> = {
  not_found: 'is not there any more',
  unfinished: 'is still being sent',
  nothing_was_sent: 'was never sent, so there are no bytes; render it again',
  no_submission: 'was a test with made-up answers; send another test',
  spam: 'was not sent, because its submission is spam; take it out of spam first',
  webhook_gone: 'has no webhook any more',
  webhook_off: 'has a webhook that is switched off; switch it on first',
}

/** Says what became of replays. */
export function describeReplays(replays: readonly Replay[]): { message: string; queued: number } {
  const queued = replays.filter(({ kind }) => kind === 'queued').length
  if (replays.length === 0) return { message: 'There was nothing then to send again.', queued }
  const refused = Map.groupBy(replays, ({ kind }) => kind)
  const reasons = [...refused].flatMap(([kind, { length }]) =>
    kind === 'queued' ? [] : [`${length === 1 ? 'One' : length} ${REASONS[kind]}.`],
  )
  const sent =
    queued === 0 ? [] : [`${queued === 1 ? 'One delivery is' : `${queued} deliveries are`} on the way again.`]
  return { message: [...sent, ...reasons].join(' '), queued }
}
