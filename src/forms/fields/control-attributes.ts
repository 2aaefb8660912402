import { WEB_ADDRESS, WEB_ADDRESS_HINT } from '../field-types/url.ts'
import type { FieldType, FormField } from '../form.ts'
import { browserPattern } from './browser-pattern.ts'

// UTF-16 counts a code point as one or two: at twice the number a browser never stops what the server takes.
const UNITS_PER_CODE_POINT = 2

/** What a field's `<input>` or `<textarea>` carries beside its name, so that a browser helps as far as it agrees with the rules. */
export interface ControlAttributes {
  type?: string
  autocomplete?: string
  inputmode?: 'decimal'
  step?: 'any'
  min?: number | string
  max?: number | string
  minlength?: number
  maxlength?: number
  pattern?: string
  /** Kinds of files, as a hint to the chooser. */
  accept?: string
  /** Said by the browser when the pattern does not match. */
  title?: string
}

/** Never stricter than `checkAnswers`: what a browser lets through the server still checks. */
export function controlAttributes(field: FormField): ControlAttributes {
  const autocomplete = autocompleteOf(field)
  return {
    ...BY_TYPE[field.type],
    ...(autocomplete && { autocomplete }),
    ...boundsOf(field),
    ...lengthsOf(field),
    ...patternOf(field),
    ...acceptOf(field),
  }
}

const BY_TYPE: Partial<Record<FieldType, ControlAttributes>> = {
  text: { type: 'text' },
  email: { type: 'email' },
  phone: { type: 'tel' },
  url: { type: 'url', pattern: WEB_ADDRESS, title: WEB_ADDRESS_HINT },
  number: { type: 'number', inputmode: 'decimal', step: 'any' },
  // Browsers know years of six digits, which are typing mistakes.
  date: { type: 'date', max: '9999-12-31' },
  file: { type: 'file' },
}

const TYPED: readonly FieldType[] = ['text', 'textarea', 'email', 'phone', 'url']

// HTML, autofill detail tokens. Only for questions whose name says that they are about the visitor.
const TOKEN_BY_NAME: Record<string, string> = {
  ...{
    name: 'name',
    full_name: 'name',
    your_name: 'name',
    first_name: 'given-name',
    last_name: 'family-name',
  },
  ...{ company: 'organization', company_name: 'organization', organization: 'organization' },
  ...{ job_title: 'organization-title', role: 'organization-title' },
  ...{ address: 'street-address', street: 'address-line1', street_address: 'street-address' },
  ...{ zip: 'postal-code', zip_code: 'postal-code', postal_code: 'postal-code', postcode: 'postal-code' },
  ...{ city: 'address-level2', state: 'address-level1', country: 'country-name' },
  ...{ birthday: 'bday', date_of_birth: 'bday', website: 'url' },
}
const TOKEN_BY_TYPE: Partial<Record<FieldType, string>> = { email: 'email', phone: 'tel', url: 'url' }

function autocompleteOf({ name, type }: FormField): string | undefined {
  const isTyped = TYPED.includes(type) || type === 'date'
  return (
    TOKEN_BY_TYPE[type] ?? (isTyped && Object.hasOwn(TOKEN_BY_NAME, name) ? TOKEN_BY_NAME[name] : undefined)
  )
}

function boundsOf({ type, validation: { min, max } }: FormField): ControlAttributes {
  if (type !== 'number' && type !== 'date') return {}
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
}

function lengthsOf({ type, validation: { min_length, max_length } }: FormField): ControlAttributes {
  if (!TYPED.includes(type)) return {}
  return {
    ...(min_length !== undefined && { minlength: min_length }),
    ...(max_length !== undefined && { maxlength: max_length * UNITS_PER_CODE_POINT }),
  }
}

function acceptOf({ type, validation: { accept } }: FormField): ControlAttributes {
  return type === 'file' && accept !== undefined ? { accept: accept.join(',') } : {}
}

// A textarea has no `pattern`.
function patternOf({ type, validation }: FormField): ControlAttributes {
  if (type === 'textarea' || !TYPED.includes(type)) return {}
  const { message } = validation
  const own = validation.pattern === undefined ? undefined : browserPattern(validation.pattern)
  const hasPattern = own !== undefined || type === 'url'
  return {
    ...(own !== undefined && { pattern: own }),
    ...(hasPattern && message !== undefined && { title: message }),
  }
}
