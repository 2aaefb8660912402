import type { Administrator } from '#src/auth/administrator.ts'
import { can } from '#src/auth/roles/capabilities.ts'
import { isLimited, NO_LIMITS } from '#src/auth/roles/role.ts'
import { leadActions, leadDeletion, leadOutcomes, bulkTexts as texts } from '#src/messages/admin/inbox.ts'
import type { BulkChange, Changed } from '#src/submissions/inbox/change-matching.ts'
import type { Stage } from '#src/submissions/stages/stage-settings.ts'
import type { ChangeAction } from '../../audit/changes.ts'
import type { InboxTab } from '../inbox-query.ts'
import { describeSorted, sortingsOf } from './sortings.ts'

/** An action for all leads of a list. */
export interface BulkAction {
  /** Value that the form posts. */
  value: string
  label: string
  question(count: number): string
  /** Label of the button that confirms. */
  button: string
  /** Consequence to show before confirming. */
  warning?: string
  /** Sentence about the result, for the user and the activity log. */
  done(changed: Changed): string
  /** Action in the audit log. */
  action: ChangeAction
  change: BulkChange
}

/** Lists the actions a user may take on a tab's leads. */
export function listBulkActions({ user, tab, ...choices }: Choices & { user: Administrator }): BulkAction[] {
  const { stage, assignee } = progressActions({ tab, ...choices })
  return [...sortActions(tab), ...stage, ...assignee, ...(can(user, 'delete_leads') ? [DELETION] : [])]
}

interface Choices {
  tab: InboxTab
  stages: readonly Stage[]
  /** Possible assignees. */
  people: readonly Administrator[]
}

/** Returns the changes of stage and assignee for a tab's leads. */
export function progressActions({
  tab,
  stages,
  people,
}: Choices): Record<'stage' | 'assignee', BulkAction[]> {
  if (tab === 'spam') return { stage: [], assignee: [] }
  return { stage: stages.map(stageAction), assignee: assignActions(people) }
}

function sortActions(tab: InboxTab): BulkAction[] {
  return sortingsOf(tab).map(({ value: sorting, label }) => ({
    ...{ value: sorting, label, button: label, action: `submission.${sorting}` },
    ...(sorting === 'not_spam' && { warning: texts.sends }),
    question: texts.questions[sorting],
    done: (changed) => describeSorted(sorting, changed),
    change: { kind: 'sort', sorting },
  }))
}

function stageAction(stage: Stage): BulkAction {
  const { slug, name } = stage
  const label = texts.stage(name)
  return {
    ...{ value: `stage.${slug}`, label, button: label, action: 'submission.progressed' },
    question: (count) => texts.questions.stage(count, name),
    done: ({ count }) => texts.done.stage(count, name),
    change: { kind: 'stage', stage },
  }
}

function assignActions(people: readonly Administrator[]): BulkAction[] {
  return [
    assignAction(texts.noOne, { kind: 'assign', assigneeId: null, limits: NO_LIMITS }),
    ...people.map(({ id, name, email, limits }) =>
      assignAction(name ?? email, { kind: 'assign', assigneeId: id, limits }),
    ),
  ]
}

function assignAction(name: string, change: BulkChange & { kind: 'assign' }): BulkAction {
  const label = change.assigneeId === null ? texts.unassign : texts.assign(name)
  return {
    ...{ value: `assignee.${change.assigneeId ?? ''}`, label, button: label },
    ...(isLimited(change.limits) && { warning: texts.assignedWithin }),
    action: 'submission.progressed',
    question: (count) =>
      change.assigneeId === null ? texts.questions.unassign(count) : texts.questions.assign(count, name),
    done: ({ count }) => texts.done.assign(count, name),
    change,
  }
}

const DELETION: BulkAction = {
  ...{ value: 'delete', label: leadActions.delete, button: leadDeletion.title, warning: leadDeletion.text },
  question: leadDeletion.question,
  done: ({ count }) => leadOutcomes.deleted(count),
  action: 'submission.deleted',
  change: { kind: 'delete' },
}
