import { z } from 'zod'
import { jsonColumn } from '../../lib/json-column.ts'

/** Keys of a visit: where it began, and the tags of its link (contract §8). */
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

/** Tags in the URL of a page. */
export const CLICK_KEYS = TOUCH_KEYS.slice(3)

/** The known facts about a visit; unknown ones are left out. */
export type Touch = { readonly [Key in TouchKey]?: string }

/** The first and the last time that a visitor came from elsewhere, and the pages seen before the form. */
export interface SubmissionSource {
  first?: Touch | undefined
  last?: Touch | undefined
  pages?: readonly string[] | undefined
  /** True if the browser asked not to be tracked; nothing else is stored then. */
  optedOut?: boolean | undefined
}

const touch = z.partialRecord(z.enum(TOUCH_KEYS), z.string())

/** `form_submissions.source_json`. */
const sourceColumn = jsonColumn(
  z.object({
    first: touch.optional(),
    last: touch.optional(),
    pages: z.array(z.string()).optional(),
    optedOut: z.boolean().optional(),
  }),
)

/** The source in a column, or null; even where an unknown program wrote it. */
export function readSourceColumn(text: string | null): SubmissionSource | null {
  return text === null ? null : (sourceColumn.safeDecode(text).data ?? null)
}
