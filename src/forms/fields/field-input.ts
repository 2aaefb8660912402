import { versionOf } from '../../lib/stored-version.ts'
import { FIELD_TYPES, type FieldType, type Form, type FormField } from '../form.ts'
import { formatOption } from './field-option.ts'
import { FIELD_TYPE_RULES } from './field-type-rules.ts'

const BYTES_PER_MB = 1024 * 1024

/** What is typed in a form about a field: texts by name, `validation.` before those of its rules. */
export type FieldTexts = Readonly<Record<string, unknown>>

/** Which inputs mean something for a type. */
export function inputsOf(type: FieldType): ReadonlySet<string> {
  const { options, validationKeys } = FIELD_TYPE_RULES[type]
  const rules = validationKeys.map((key) => `validation.${key}`)
  const common = ['type', 'name', 'label']
  if (type === 'hidden') return new Set([...common, 'default_value', ...rules])
  const hasPlaceholder = !['radio', 'checkbox', 'file', 'date'].includes(type)
  return new Set([
    ...common,
    ...['help_text', 'required', 'validation.message', ...rules],
    ...(hasPlaceholder ? ['placeholder'] : []),
    ...(type === 'file' ? [] : ['default_value']),
    ...(options === 'none' ? [] : ['options']),
  ])
}

export function readFieldType(text: unknown): FieldType {
  return FIELD_TYPES.find((type) => type === text) ?? 'text'
}

/** A field as a form file would say it, from what was typed; whatever means nothing for its type is left out. */
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

/** The texts that `toFieldDraft` takes back to this field. */
export function toFieldTexts(field: FormField): Record<string, string> {
  const { validation } = field
  const rules = Object.entries(validation).map(([key, value]) => [`validation.${key}`, String(value)])
  return {
    ...{ type: field.type, name: field.name, label: field.label },
    ...{ placeholder: field.placeholder ?? '', default_value: field.defaultValue ?? '' },
    ...{ required: field.required ? 'on' : '', help_text: field.helpText ?? '' },
    options: field.options.map(formatOption).join('\n'),
    ...Object.fromEntries(rules),
    ...(validation.accept && { 'validation.accept': validation.accept.join(', ') }),
    ...(validation.max_size && { 'validation.max_size': String(validation.max_size / BYTES_PER_MB) }),
  }
}

/** Another text for another field of that name; empty when the form has none. */
export function fieldVersion({ fields }: Pick<Form, 'fields'>, name: string | undefined): string {
  const field = fields.find((one) => one.name === name)
  return field ? versionOf(toFieldTexts(field)) : ''
}

function readValidation(type: FieldType, text: (name: string) => string): Record<string, unknown> {
  const of = (key: string) => text(`validation.${key}`)
  const bound = type === 'date' ? (key: string) => of(key) : (key: string) => numberOr(of(key))
  const rules = {
    ...{ min_length: numberOr(of('min_length')), max_length: numberOr(of('max_length')) },
    ...{ min: bound('min'), max: bound('max') },
    ...{ pattern: of('pattern'), message: of('message'), accept: of('accept') },
    max_size: bytesOf(of('max_size')),
  }
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== ''))
}

// What is no number stays as it is, and is refused with the rest.
function numberOr(text: string): number | string {
  return text === '' || Number.isNaN(Number(text)) ? text : Number(text)
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
