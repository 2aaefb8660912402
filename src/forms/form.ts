import type { FieldOption } from './fields/field-option.ts'
import type { FieldValidation } from './fields/field-validation.ts'
import type { FormSettings } from './form-settings.ts'

export const FIELD_TYPES = [
  ...(['text', 'email', 'phone', 'textarea', 'select', 'radio'] as const),
  ...(['checkbox', 'file', 'hidden', 'url', 'number', 'date'] as const),
] as const

export const FORM_STATUSES = ['active', 'draft', 'archived'] as const

export type FieldType = (typeof FIELD_TYPES)[number]

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
  /** Counts up when the fields change, so that a submission can say which questions it answered. */
  version: number
  fields: FormField[]
}

/** What is stored of a file; its bytes are found by `upload_id`. */
type FileAnswer = {
  name: string
  /** Bytes. */
  size: number
  /** The media type its bytes and its name agree on. */
  type: string
  upload_id: number
}

/** What is stored for one field (contract §5). */
export type Answer = string | number | boolean | string[] | FileAnswer | null

/** The answers of one submission, keyed by field name. */
export type Answers = Record<string, Answer>
