import { numberOr } from '../../lib/number-or.ts'
import { versionOf } from '../../lib/outcome.ts'
import {
  DEFAULT_FIELD_TYPE,
  FIELD_TYPE_NAMES,
  FIELD_TYPES,
  type FieldType,
} from '../field-types/field-types.ts'
import type { Form, FormField } from '../form.ts'
import { formatOption } from './field-option.ts'

const BYTES_PER_MB = 1024 * 1024

/** Input names for a field: texts by key, with `validation.` before the keys of its rules. */
export type FieldTexts = Readonly<Record<string, unknown>>

/** The inputs that apply to a type. */
export function inputsOf(type: FieldType): ReadonlySet<string> {
  const { options, validationKeys, widget, placeholderLabel, defaultAnswer } = FIELD_TYPES[type]
  const rules = validationKeys.map((key) => `validation.${key}`)
  return new Set([
    'type',
    'name',
    'label',
    ...rules,
    ...(widget === 'hidden' ? [] : ['help_text', 'required', 'validation.message']),
    ...(placeholderLabel === undefined || widget === 'hidden' ? [] : ['placeholder']),
    ...(defaultAnswer === undefined ? [] : ['default_value']),
    ...(options === 'none' ? [] : ['options']),
  ])
}

export function readFieldType(text: unknown): FieldType {
  return FIELD_TYPE_NAMES.find((type) => type === text) ?? DEFAULT_FIELD_TYPE
}

/** Builds a field definition from the typed texts, leaving out what doesn't apply to its type. */
export function toFieldDraft(texts: FieldTexts): Record<string, unknown> {
  const type = readFieldType(texts.type)
  const known = inputsOf(type)
  const text = (name: string) => (known.has(name) ? String(texts[name] ?? '').trim() : '')
  return {
    type,
    name: text('name'),
    label: text('label'),
    placeholder: text('placeholder') || null,
    default_value: text('default_value') || null,
    required: known.has('required') && Boolean(texts.required),
    options: linesOf(text('options')),
    help_text: text('help_text') || null,
    validation: readValidation(type, text),
  }
}

/** Returns the texts that `toFieldDraft` turns back into this field. */
export function toFieldTexts(field: FormField): Record<string, string> {
  const { validation } = field
  const rules = Object.entries(validation).map(([key, value]) => [`validation.${key}`, String(value)])
  return {
    type: field.type,
    name: field.name,
    label: field.label,
    placeholder: field.placeholder ?? '',
    default_value: field.defaultValue ?? '',
    required: field.required ? 'on' : '',
    help_text: field.helpText ?? '',
    options: field.options.map(formatOption).join('\n'),
    ...Object.fromEntries(rules),
    ...(validation.accept && { 'validation.accept': validation.accept.join(', ') }),
    ...(validation.max_size && { 'validation.max_size': String(validation.max_size / BYTES_PER_MB) }),
  }
}

/** Returns a text that differs whenever the field differs; empty if the form has no such field. */
export function fieldVersion({ fields }: Pick<Form, 'fields'>, name: string | undefined): string {
  const field = fields.find((one) => one.name === name)
  return field ? versionOf(toFieldTexts(field)) : ''
}

function readValidation(type: FieldType, text: (name: string) => string): Record<string, unknown> {
  const of = (key: string) => text(`validation.${key}`)
  const bound = (key: string) => FIELD_TYPES[type].bounds?.read(of(key)) ?? ''
  const rules = {
    min_length: numberOr(of('min_length')),
    max_length: numberOr(of('max_length')),
    min: bound('min'),
    max: bound('max'),
    pattern: of('pattern'),
    message: of('message'),
    accept: of('accept'),
    max_size: bytesOf(of('max_size')),
  }
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== ''))
}

function bytesOf(text: string): number | string {
  const megabytes = numberOr(text)
  return typeof megabytes === 'number' ? Math.round(megabytes * BYTES_PER_MB) : megabytes
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
