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

/** The parts of a field that its type uses. */
export interface TypedField {
  required: boolean
  options: readonly FieldOption[]
  validation: FieldValidation
}

/** Input that shows a field. */
export type Widget =
  | ('input' | 'textarea' | 'select' | 'upload' | 'hidden')
  /** One box beside its label, or one for each option. */
  | ('tick' | 'radios' | 'checkboxes')

/** The `min` and `max` of types that have an order. */
interface Bounds {
  /** Value that a bound must have, such as `a number`. */
  expected: string
  fits(bound: number | string): boolean
  /** Parses a bound that an administrator typed; returns invalid text unchanged. */
  read(text: string): number | string
  /** The inputs for both in the admin. */
  labels: { min: string; max: string }
  input: { type: 'text' | 'date'; inputmode?: 'decimal' }
}

/** Everything about one type of field. One file per type is beside this one; `field-types.ts` lists them. */
export interface FieldTypeDefinition {
  /** Name that administrators see. */
  label: string
  use: string
  /** The inputs of the admin that only some types have: without a label the field has no placeholder or default answer. */
  placeholderLabel?: string
  defaultAnswer?: { label: string; help?: string }
  optionsHelp?: string

  /** Need for `options` in fields of this type. */
  options: 'none' | 'optional' | 'required'
  /** The keys of `validation` that mean something for this type; `message` always does. */
  validationKeys: readonly (keyof FieldValidation)[]
  bounds?: Bounds
  /** The problem of a required field that stays empty: an answer of `null`, `[]` or `false`. */
  requiredProblem: AnswerProblem
  /** `sent` holds every text sent under the field's name, as it came, and `files` every file. */
  parse(sent: readonly string[], field: TypedField, files: readonly ReceivedFile[], site: Country): Checked

  widget: Widget
  /** Of a field with options, where that is another. */
  widgetWithOptions?: Widget
  control?: ControlAttributes
  /** A token of HTML's autofill, or `by name` for one that the field's name tells. */
  autofill?: string

  /** A made-up answer; `option` is the value of the field's first option. */
  sample(option: string | undefined, site: Country): Answer
  /** The JSON type of an answer without options, where that is not text. A boolean answer is never null. */
  storedAs?: 'number' | 'boolean'
  /** Kind of contact with the visitor that an answer gives. */
  contact?: 'email' | 'phone'
  /** True if links in an answer count as a sign of spam. */
  isFreeText?: boolean
  /** True if an answer is short enough for the subject of a mail. */
  isShort?: boolean
}

/** For types with a text input. */
export const PLACEHOLDER = 'Placeholder'
export const DEFAULT_ANSWER = { label: 'Default answer', help: 'Prefilled for the visitor.' }

/** A `parse` for types that take one text. Nothing sent is the empty text. */
export function parseOne(
  parse: (text: string, field: TypedField, site: Country) => Checked,
): FieldTypeDefinition['parse'] {
  return (sent, field, _, site) => {
    if (sent.length > 1) return { problem: { code: 'several_answers' } }
    return parse(sent[0] ?? '', field, site)
  }
}
