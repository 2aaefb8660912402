import type { Locale } from '../../lib/locale/locale.ts'
import type { AnswerProblem } from '../../messages/visitor/answers.ts'
import type { Answer } from '../answer.ts'
import type { FieldOption } from '../fields/field-option.ts'
import type { FieldValidation } from '../fields/field-validation.ts'
import type { ReceivedFile } from '../received-file.ts'
import type { ControlAttributes } from './control.ts'

/** The answer to store, or what is wrong with it. */
export type Checked = { answer: Answer } | { problem: AnswerProblem }

type Country = Pick<Locale, 'country'>

/** The parts of a field that its type reads. */
export interface TypedField {
  required: boolean
  options: readonly FieldOption[]
  validation: FieldValidation
}

/** The input that shows a field. */
export type Widget =
  | ('input' | 'textarea' | 'select' | 'upload' | 'hidden')
  /** One box beside its label, or one per option. */
  | ('tick' | 'radios' | 'checkboxes')

/** The `min` and `max` of types whose values have an order. */
interface Bounds {
  /** Kind of value a bound must be, such as `a number`. */
  expected: string
  fits(bound: number | string): boolean
  /** Parses a bound that an administrator typed; returns invalid text unchanged. */
  read(text: string): number | string
  /** The admin's inputs for both. */
  labels: { min: string; max: string }
  input: { type: 'text' | 'date'; inputmode?: 'decimal' }
}

/** The definition of a field type. Each type has its own file in this folder; `field-types.ts` lists them. */
export interface FieldTypeDefinition {
  /** Name shown in the admin. */
  label: string
  use: string
  /** Admin inputs that only some types have. Without a label, the field has no placeholder or default value. */
  placeholderLabel?: string
  defaultAnswer?: { label: string; help?: string }
  optionsHelp?: string

  /** Need for `options` in fields of this type. */
  options: 'none' | 'optional' | 'required'
  /** The keys of `validation` that apply to this type; `message` always does. */
  validationKeys: readonly (keyof FieldValidation)[]
  bounds?: Bounds
  /** The problem to report when a required field has the answer `null`, `[]`, or `false`. */
  requiredProblem: AnswerProblem
  /** `sent` holds every text sent under the field's name, unchanged, and `files` every file. */
  parse(sent: readonly string[], field: TypedField, files: readonly ReceivedFile[], site: Country): Checked

  widget: Widget
  /** The widget of a field with options, if it differs. */
  widgetWithOptions?: Widget
  control?: ControlAttributes
  /** An HTML autofill token, or `by name` to derive it from the field's name. */
  autofill?: string

  /** Makes a sample answer; `option` is the value of the field's first option. */
  sample(option: string | undefined, site: Country): Answer
  /** The JSON type of an answer without options, if it isn't text. A boolean answer is never null. */
  storedAs?: 'number' | 'boolean'
  /** Returns a stored answer as people read it, if it differs. */
  format?(stored: string): string
  /** The visitor's contact detail that an answer provides. */
  contact?: 'email' | 'phone'
  /** True if links in an answer suggest spam. */
  isFreeText?: boolean
  /** True if an answer is short enough for an email subject. */
  isShort?: boolean
}

/** For types with a text input. */
export const PLACEHOLDER = 'Placeholder'
export const DEFAULT_ANSWER = { label: 'Default answer', help: 'The form starts with this answer filled in.' }

/** Wraps a `parse` that takes one text. A missing value becomes the empty string. */
export function parseOne(
  parse: (text: string, field: TypedField, site: Country) => Checked,
): FieldTypeDefinition['parse'] {
  return (sent, field, _, site) => {
    if (sent.length > 1) return { problem: { code: 'several_answers' } }
    return parse(sent[0] ?? '', field, site)
  }
}
