import type { Administrator } from '#src/auth/administrator.ts'
import { inboxTexts as texts } from '#src/messages/admin/inbox.ts'
import { progressTexts } from '#src/messages/admin/leads.ts'
import { describeSource } from '#src/messages/admin/measuring/sources.ts'
import type { InboxForm } from '#src/submissions/inbox/unread-store.ts'
import { findStage, type Stage } from '#src/submissions/stages/stage-settings.ts'
import { INBOX_TABS, type InboxQuery } from '../inbox-query.ts'

/** Everything that a filter may name. */
export interface FilterNames {
  forms: readonly Pick<InboxForm, 'id' | 'name'>[]
  stages: readonly Stage[]
  /** Possible assignees. */
  people: readonly Pick<Administrator, 'id' | 'name' | 'email'>[]
}

/** Describes in words which leads a list shows: its tab, and each filter that applies. */
export function describeFilter(
  { tab, fields, filter }: InboxQuery,
  { forms, stages, people }: FilterNames,
): { label: string; value: string }[] {
  const { labels } = texts
  const { formId, search, location, source, assigneeId, from, until } = filter
  const person = people.find(({ id }) => id === assigneeId)
  const form = forms.find(({ id }) => id === formId)
  const stage = filter.stages && findStage(stages, fields.stage)
  const parts = [
    { label: labels.tabs, value: INBOX_TABS.find(({ value }) => value === tab)?.label },
    { label: labels.search, value: search },
    { label: labels.form, value: formId === undefined ? '' : (form?.name ?? texts.deletedForm) },
    { label: labels.place, value: location },
    { label: progressTexts.stage, value: stage?.name },
    {
      label: progressTexts.assignee,
      value: assigneeId === undefined ? '' : (person?.name ?? person?.email ?? texts.anotherUser),
    },
    { label: labels.source, value: source && describeSource(source) },
    { label: labels.from, value: from && fields.from },
    { label: labels.until, value: until && fields.until },
  ]
  return parts.flatMap(({ label, value }) => (value ? [{ label, value }] : []))
}
