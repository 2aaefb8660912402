import type { EntryInput } from '#src/entries/editing/entry-input.ts'
import type { Entry } from '#src/entries/entry-store.ts'
import { schedulesChange } from '#src/entries/history/scheduled-draft.ts'
import { scheduleBarTexts } from '#src/messages/admin/editing.ts'
import type { AdminForm } from '../../kit/admin-form.ts'

/** Checks that the time posted with the Schedule button is in the future. */
export function checkSchedule(form: Pick<AdminForm<unknown>, 'fail'>, { publishAt }: EntryInput): void {
  if (!publishAt?.endsWith('Z')) form.fail('publish_at', scheduleBarTexts.missing)
  else if (publishAt <= new Date().toISOString()) form.fail('publish_at', scheduleBarTexts.past)
}

/** Returns the values that a button saves: scheduled ones are published, and a draft has no schedule. */
export function withSchedule(
  act: string,
  { values, entry }: { values: EntryInput; entry: Entry | undefined },
): EntryInput {
  if (act === 'schedule') return { ...values, status: 'published' }
  const isUnscheduled = act === 'draft' && entry && schedulesChange(values, entry, new Date())
  return isUnscheduled ? { ...values, publishAt: entry.publishAt } : values
}
