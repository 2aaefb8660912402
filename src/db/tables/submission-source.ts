import { z } from 'zod'
import { jsonColumn } from '../../lib/json-column.ts'

/** What a visit brings along: where it began, and what the link was tagged with (contract §8). */
export const TOUCH_KEYS = [
  'at',
  'landing_page',
  'referrer',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'gclid',
  'gbraid',
  'wbraid',
  'msclkid',
  'fbclid',
] as const

export type TouchKey = (typeof TOUCH_KEYS)[number]

/** What the address of a page may be tagged with. */
export const CLICK_KEYS = TOUCH_KEYS.slice(3)

/** What is known of a visit; what is not known is left out. */
export type Touch = { readonly [Key in TouchKey]?: string }

/** The first and the last time that a visitor came from elsewhere, and the pages seen before the form. */
export interface SubmissionSource {
  first?: Touch | undefined
  last?: Touch | undefined
  pages?: readonly string[] | undefined
}

const touch = z.partialRecord(z.enum(TOUCH_KEYS), z.string())

/** `form_submissions.source_json`. */
const sourceColumn = jsonColumn(
  z.object({ first: touch.optional(), last: touch.optional(), pages: z.array(z.string()).optional() }),
)

/** The source in a column, or null; also where an unknown program wrote it. */
export function readSourceColumn(text: string | null): SubmissionSource | null {
  return text === null ? null : (sourceColumn.safeDecode(text).data ?? null)
}
