import { type Condition, conditionSchema, listConditionFields } from '../../conditions/conditions.ts'
import {
  checkTemplate,
  isKnown,
  type ReferableField,
  type TemplateProblem,
  unknownReference,
} from '../../templates/check-template.ts'
import type { FormSettings } from '../form-settings.ts'

/** A problem with a text or condition, and its path in the settings. */
export type MailReferenceProblem = TemplateProblem & { path: (string | number)[] }

/** Finds references in a form's emails to fields that the form doesn't have. */
export function checkMailReferences(
  { notifications, reply }: Pick<FormSettings, 'notifications' | 'reply'>,
  fields: readonly ReferableField[],
): MailReferenceProblem[] {
  const ofText = (text: unknown, path: (string | number)[]) =>
    typeof text === 'string' ? checkTemplate(text, fields).map((problem) => ({ ...problem, path })) : []
  return [
    ...(notifications ?? []).flatMap(({ when, subject, text }, index) => [
      ...checkCondition(when, fields).map((problem) => ({
        ...problem,
        path: ['notifications', index, 'when'],
      })),
      ...ofText(subject, ['notifications', index, 'subject']),
      ...ofText(text, ['notifications', index, 'text']),
    ]),
    ...ofText(reply?.subject, ['reply', 'subject']),
    ...ofText(reply?.text, ['reply', 'text']),
  ]
}

function checkCondition(when: Condition | null | undefined, fields: readonly ReferableField[]) {
  const condition = conditionSchema.safeParse(when).data
  const names = condition ? listConditionFields(condition) : []
  return names.filter((name) => !isKnown(name, fields)).map((name) => unknownReference(name, fields))
}
