import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import { isCalendarDay } from '../../lib/locale/calendar-day.ts'
import { utcTextOf } from '../../lib/locale/local-time.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { inboxTexts } from '../../messages/admin/inbox.ts'
import { type InboxFilter, parseCursor, type SubmissionStatus } from '../../submissions/inbox/inbox-filter.ts'
import type { InboxForm } from '../../submissions/inbox/unread-store.ts'
import { findStage, type Stage } from '../../submissions/stages/stage-settings.ts'

const { tabLabels } = inboxTexts

/** Tabs by URL name; the first contains what still needs work. */
export type InboxTab = '' | 'new' | 'read' | 'archived' | 'spam' | 'all'

interface TabView {
  value: InboxTab
  label: string
  statuses: readonly SubmissionStatus[]
}

/** Filters of the tabs of the inbox. */
export const INBOX_TABS: readonly TabView[] = [
  { value: '', label: tabLabels.inbox, statuses: ['new', 'read'] },
  { value: 'new', label: tabLabels.unread, statuses: ['new'] },
  { value: 'read', label: tabLabels.read, statuses: ['read'] },
  { value: 'archived', label: tabLabels.archived, statuses: ['archived'] },
  { value: 'spam', label: tabLabels.spam, statuses: ['spam'] },
  { value: 'all', label: tabLabels.all, statuses: ['new', 'read', 'archived', 'spam'] },
]

const FILTERS = ['form', 'location', 'from', 'until', 'source', 'stage', 'assignee'] as const
const MOST_CHARACTERS = 200
const PLACE = 'inbox.words'
const NO_FORM = 0

/** Filters and position in an inbox URL. */
export interface InboxQuery {
  tab: InboxTab
  /** As entered in the fields. */
  fields: Readonly<Record<(typeof FILTERS)[number] | 'q', string>>
  /** The encrypted search words, because a name or email address must not appear in a URL (ASVS 14.2.1). */
  words: string
  /** True if the words were encrypted with a key that the site no longer has, or were changed. */
  hasLostWords: boolean
  /** True if any field besides the tab narrows the list. */
  isNarrowed: boolean
  filter: InboxFilter
  cursor: ReturnType<typeof parseCursor>
}

interface QueryContext {
  forms: readonly InboxForm[]
  stages: readonly Stage[]
  scope: LeadScope
  timeZone: string
  secretBox: SecretBox
}

/**
 * Reads a URL, or the posted search form, ignoring invalid values. `forms` turns a slug into its form; days are in
 * the time zone.
 */
export function readInboxQuery(
  parameters: URLSearchParams,
  { forms, stages, scope, timeZone, secretBox }: QueryContext,
): InboxQuery {
  const read = (name: string) => parameters.get(name)?.trim().slice(0, MOST_CHARACTERS) ?? ''
  const sealed = parameters.has('q') ? '' : (parameters.get('words') ?? '')
  const opened = openWords(sealed, secretBox)
  const q = sealed === '' ? read('q') : (opened ?? '')
  const given = FILTERS.map((name) => [name, read(name)] as const)
  const fields = { ...Object.fromEntries(given), q } as InboxQuery['fields']
  const [inbox] = INBOX_TABS
  const tab = INBOX_TABS.find(({ value }) => value === parameters.get('status')) ?? inbox
  return {
    tab: tab?.value ?? '',
    fields,
    words: q === '' ? '' : sealed || secretBox.seal(q, PLACE),
    hasLostWords: opened === undefined,
    isNarrowed: Object.values(fields).some((value) => value !== ''),
    filter: {
      scope,
      statuses: tab?.statuses ?? [],
      formId: findFormId(fields.form, forms),
      search: fields.q,
      location: fields.location,
      source: fields.source || undefined,
      stages: slugsOfStage(stages, fields.stage),
      assigneeId: /^\d{1,15}$/.test(fields.assignee) ? Number(fields.assignee) : undefined,
      from: startOfDay(fields.from, { timeZone }),
      until: startOfDay(fields.until, { timeZone, daysLater: 1 }),
    },
    cursor: parseCursor(parameters.get('page')),
  }
}

/** Returns the URL of the same list with some values changed; an empty value is removed. */
export function inboxAddress(
  path: string,
  { tab, fields, words }: { tab: string } & Partial<Pick<InboxQuery, 'fields' | 'words'>>,
  changes: Record<string, string | undefined> = {},
): string {
  const all: Record<string, string | undefined> = { status: tab, ...fields, q: undefined, words, ...changes }
  const pairs = Object.entries(all).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

// A saved filter may refer to a stage that was replaced since.
function slugsOfStage(stages: readonly Stage[], asked: string): string[] | undefined {
  const stage = findStage(stages, asked)
  return stage && [stage.slug, ...(stage.replaces ?? [])]
}

// A deleted form, or one this user may not see, means no leads, not those of all forms.
function findFormId(slug: string, forms: readonly InboxForm[]): number | undefined {
  return slug === '' ? undefined : (forms.find((form) => form.slug === slug)?.id ?? NO_FORM)
}

function openWords(sealed: string, secretBox: SecretBox): string | undefined {
  if (sealed === '') return ''
  try {
    return secretBox.open(sealed, PLACE)
  } catch {
    return undefined
  }
}

// The last day is included.
function startOfDay(
  day: string,
  { timeZone, daysLater = 0 }: { timeZone: string; daysLater?: number },
): string | undefined {
  if (!isCalendarDay(day)) return undefined
  const date = Temporal.PlainDate.from(day).add({ days: daysLater })
  return utcTextOf(`${date}T00:00`, timeZone)
}
