import type { AstroGlobal } from 'astro'
import { z } from 'zod'
import { localInputOf, utcTextOf } from '../../lib/locale/local-time.ts'
import { resendTexts } from '../../messages/admin/webhooks/deliveries.ts'
import { type AdminForm, receiveForm } from '../kit/admin-form.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

function windowIn(timeZone: string) {
  const read = (text: string, context: z.RefinementCtx) => {
    const at = utcTextOf(text, timeZone)
    if (at === undefined) context.addIssue({ code: 'custom', message: resendTexts.momentInvalid })
    return at ?? z.NEVER
  }
  return z
    .object({
      from: z.string().transform(read),
      until: z.string().transform((text, context) => (text === '' ? undefined : read(text, context))),
      status: z.enum(['lost', 'delivered']).transform((word) => (word === 'lost' ? undefined : word)),
      mode: z.enum(['same_bytes', 'render_again']),
    })
    .refine(({ from, until }) => until === undefined || from < until, {
      path: ['until'],
      message: resendTexts.untilTooEarly,
    })
}

/** The form for resending deliveries, with times in that zone; by default, the last 24 hours. */
export function receiveReplay(
  astro: Pick<AstroGlobal, 'request' | 'response'>,
  { timeZone }: { timeZone: string },
): Promise<AdminForm<z.output<ReturnType<typeof windowIn>>>> {
  const from = localInputOf(new Date(Date.now() - DAY_MS).toISOString(), timeZone)
  return receiveForm(astro, windowIn(timeZone), { from, until: '', status: 'lost', mode: 'same_bytes' })
}
