import { readableValue } from '#src/admin/versions/readable-value.ts'
import { FIELD_TYPES } from '#src/forms/field-types/field-types.ts'
import type { FieldDefinition } from '#src/forms/fields/field-definition.ts'
import type { FormKey } from '#src/forms/history/compare-forms.ts'
import { formSettings } from '#src/messages/admin/forms.ts'
import { formVersionTexts, versionValues } from '#src/messages/admin/history/versions.ts'
import { kitTexts } from '#src/messages/admin/kit.ts'

const { parts } = formVersionTexts

type Part = keyof FieldDefinition

/** Formats a value of a form as its screens do: the status and answer types by their labels, and switches as yes or no. */
export function readableForm(key: FormKey, value: unknown): string {
  if ('own' in key && key.own === 'status')
    return formSettings.statuses[value as keyof typeof formSettings.statuses] ?? ''
  if (!('question' in key)) return readablePart(undefined, value)
  return key.part ? readablePart(key.part, value) : readableQuestion(value as Partial<FieldDefinition>)
}

// A question that was added or removed.
function readableQuestion(question: Partial<FieldDefinition> | undefined): string {
  return Object.entries(question ?? {})
    .map(([part, value]) => versionValues.part(parts[part as Part], readablePart(part as Part, value)))
    .join('\n')
}

function readablePart(part: Part | undefined, value: unknown): string {
  if (typeof value === 'boolean') return value ? kitTexts.yes : kitTexts.no
  return part === 'type' ? FIELD_TYPES[value as FieldDefinition['type']].label : readableValue(value)
}
