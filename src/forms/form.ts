import type { Answer } from './answer.ts'
import type { FieldType } from './field-types/field-types.ts'
import type { FieldOption } from './fields/field-option.ts'
import type { FieldValidation } from './fields/field-validation.ts'
import type { FormSettings } from './form-settings.ts'

export const FORM_STATUSES = ['active', 'draft', 'archived'] as const

/** One question of a form (§2.2). The order in `Form.fields` is its position. */
export interface FormField {
  name: string
  type: FieldType
  label: string
  placeholder: string | null
  defaultValue: string | null
  required: boolean
  options: FieldOption[]
  validation: FieldValidation
  helpText: string | null
}

/** A form with its fields in order (§2.1). */
export interface Form {
  id: number
  slug: string
  name: string
  description: string | null
  status: (typeof FORM_STATUSES)[number]
  settings: FormSettings
  isBuiltin: boolean
  createdAt: string
  updatedAt: string
  /** Increases when the fields change, so that a submission records which questions it answered. */
  version: number
  fields: FormField[]
}

/** The answers of one submission, keyed by field name. */
export type Answers = Record<string, Answer>
