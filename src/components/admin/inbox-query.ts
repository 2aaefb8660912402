import { isCalendarDay } from '../../lib/calendar-day.ts'
import { utcTextOf } from '../../lib/local-time.ts'
import { type InboxFilter, parseCursor, type SubmissionStatus } from '../../submissions/inbox-filter.ts'
import type { InboxForm } from '../../submissions/inbox-store.ts'

/** What the tabs of the inbox show. The first is what is still to be done. */
export const INBOX_TABS: readonly { value: string; label: string; statuses: readonly SubmissionStatus[] }[] =
  [
    { value: '', label: 'Inbox', statuses: ['new', 'read'] },
    { value: 'new', label: 'Unread', statuses: ['new'] },
    { value: 'read', label: 'Read', statuses: ['read'] },
    { value: 'archived', label: 'Archived', statuses: ['archived'] },
    { value: 'spam', label: 'Spam', statuses: ['spam'] },
    { value: 'all', label: 'All', statuses: ['new', 'read', 'archived', 'spam'] },
  ]

const FILTERS = ['form', 'q', 'location', 'from', 'until'] as const

/** What an address of the inbox asks for. */
export interface InboxQuery {
  tab: string
  /** As they stand in the fields. */
  fields: Readonly<Record<(typeof FILTERS)[number], string>>
  /** Whether any field beside the tab narrows the list. */
  isNarrowed: boolean
  filter: InboxFilter
  cursor: ReturnType<typeof parseCursor>
}

/** Reads an address; what makes no sense in it is left out. `forms` turns a slug into its form, days are of the time zone. */
export function readInboxQuery(
  parameters: URLSearchParams,
  { forms, timeZone }: { forms: readonly InboxForm[]; timeZone: string },
): InboxQuery {
  const given = FILTERS.map((name) => [name, parameters.get(name)?.trim().slice(0, 200) ?? ''] as const)
  const fields = Object.fromEntries(given) as InboxQuery['fields']
  const [inbox] = INBOX_TABS
  const tab = INBOX_TABS.find(({ value }) => value === parameters.get('status')) ?? inbox
  return {
    tab: tab?.value ?? '',
    fields,
    isNarrowed: Object.values(fields).some((value) => value !== ''),
    filter: {
      statuses: tab?.statuses ?? [],
      formId: forms.find(({ slug }) => slug === fields.form)?.id,
      search: fields.q,
      location: fields.location,
      from: startOfDay(fields.from, { timeZone }),
      until: startOfDay(fields.until, { timeZone, daysLater: 1 }),
    },
    cursor: parseCursor(parameters.get('page')),
  }
}

/** The address of the same list, with some of it changed; an empty value leaves its part out. */
export function inboxAddress(
  path: string,
  { tab, fields }: Pick<InboxQuery, 'tab' | 'fields'>,
  changes: Record<string, string | undefined> = {},
): string {
  const all = { status: tab, ...fields, ...changes }
  const pairs = Object.entries(all).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

// The last day belongs to the time that is asked for.
function startOfDay(
  day: string,
  { timeZone, daysLater = 0 }: { timeZone: string; daysLater?: number },
): string | undefined {
  if (!isCalendarDay(day)) return undefined
  const date = Temporal.PlainDate.from(day).add({ days: daysLater })
  return utcTextOf(`${date}T00:00`, timeZone)
}
