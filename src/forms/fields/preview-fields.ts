import { newQuestion } from '../../messages/admin/forms.ts'
import type { Form, FormField } from '../form.ts'
import { fieldDefinitionSchema, MAX_LABEL, toFormField } from './field-definition.ts'
import { type FieldTexts, toFieldDraft } from './field-input.ts'

/**
 * Returns the form with the field being edited in place of `replaced`, or at the end. Invalid parts are left
 * out so that it can still be shown: without its rules, and with its key as its label.
 */
export function withFieldTexts(form: Form, texts: FieldTexts): Form {
  const field = toField(texts)
  const isReplaced = form.fields.some(({ name }) => name === texts.replaced)
  const fields = form.fields.map((one) => (one.name === texts.replaced ? field : one))
  return { ...form, fields: isReplaced ? fields : [...fields, field] }
}

function toField(texts: FieldTexts): FormField {
  const draft = toFieldDraft(texts)
  const label = shorten(String(draft.label || draft.name || newQuestion))
  const name = String(draft.name || 'new_field')
  const complete = { ...draft, name, label }
  const parsed =
    fieldDefinitionSchema.safeParse(complete).data ??
    fieldDefinitionSchema.safeParse({ ...complete, name: 'new_field', validation: {} }).data ??
    fieldDefinitionSchema.parse({ name: 'new_field', label })
  return toFormField(parsed)
}

function shorten(label: string): string {
  return label.slice(0, MAX_LABEL).toWellFormed().trim() || newQuestion
}
