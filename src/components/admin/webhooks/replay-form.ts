import type { AstroGlobal } from 'astro'
import { z } from 'zod'
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
