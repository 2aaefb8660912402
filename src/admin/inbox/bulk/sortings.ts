import { leadActions, leadOutcomes } from '#src/messages/admin/inbox.ts'
import type { Changed } from '#src/submissions/inbox/change-matching.ts'
import type { Sorting } from '#src/submissions/inbox/sort-submissions.ts'
import type { InboxTab } from '../inbox-query.ts'

interface SortingChoice {
  value: Sorting
  label: string
  tabs: readonly InboxTab[]
}

const SORTINGS: readonly SortingChoice[] = [
  { value: 'read', label: leadActions.read, tabs: ['', 'new', 'all'] },
  { value: 'unread', label: leadActions.unread, tabs: ['', 'read', 'all'] },
  { value: 'archive', label: leadActions.archive, tabs: ['', 'new', 'read', 'all'] },
  { value: 'restore', label: leadActions.restore, tabs: ['archived', 'all'] },
  { value: 'spam', label: leadActions.spam, tabs: ['', 'new', 'read', 'archived', 'all'] },
  { value: 'not_spam', label: leadActions.notSpam, tabs: ['spam', 'all'] },
]

/** Lists the status changes for a tab's leads. */
export function sortingsOf(tab: InboxTab): SortingChoice[] {
  return SORTINGS.filter(({ tabs }) => tabs.includes(tab))
}

/** Says what a status change did. */
export function describeSorted(sorting: Sorting, changed: Changed): string {
  if (changed.count === 0) return leadOutcomes.none
  return sorting === 'not_spam' ? leadOutcomes.not_spam(changed) : leadOutcomes[sorting](changed.count)
}
