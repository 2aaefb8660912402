import type { ControlAttributes } from '../field-types/control.ts'
import { FIELD_TYPES } from '../field-types/field-types.ts'
import type { FormField } from '../form.ts'
import { browserPattern } from './browser-pattern.ts'
import type { FieldValidation } from './field-validation.ts'

// A code point is one or two UTF-16 units, so a browser with twice the limit never blocks what the server
// accepts.
const UNITS_PER_CODE_POINT = 2

/** Never stricter than `checkAnswers`. The server checks again. */
export function controlAttributes({ name, type, validation }: FormField): ControlAttributes {
  const { autofill, control, validationKeys, widget } = FIELD_TYPES[type]
  if (widget === 'hidden') return {}
  const autocomplete = autofill === 'by name' ? tokenOf(name) : autofill
  const has = (key: keyof FieldValidation) => validationKeys.includes(key)
  return {
    ...control,
    ...(autocomplete && { autocomplete }),
    ...(has('min') && boundsOf(validation)),
    ...(has('min_length') && lengthsOf(validation)),
    // A textarea has no `pattern` attribute.
    ...(has('pattern') && widget === 'input' && patternOf(validation, control)),
    ...(has('accept') && validation.accept !== undefined && { accept: validation.accept.join(',') }),
  }
}

// Autofill detail tokens of HTML, only for fields whose name shows that they are about the visitor.
const TOKEN_BY_NAME: Record<string, string> = {
  name: 'name',
  full_name: 'name',
  your_name: 'name',
  first_name: 'given-name',
  last_name: 'family-name',
  company: 'organization',
  company_name: 'organization',
  organization: 'organization',
  job_title: 'organization-title',
  role: 'organization-title',
  address: 'street-address',
  street: 'address-line1',
  street_address: 'street-address',
  zip: 'postal-code',
  zip_code: 'postal-code',
  postal_code: 'postal-code',
  postcode: 'postal-code',
  city: 'address-level2',
  state: 'address-level1',
  country: 'country-name',
  birthday: 'bday',
  date_of_birth: 'bday',
  website: 'url',
}

function tokenOf(name: string): string | undefined {
  return Object.hasOwn(TOKEN_BY_NAME, name) ? TOKEN_BY_NAME[name] : undefined
}

function boundsOf({ min, max }: FieldValidation): ControlAttributes {
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
}

function lengthsOf({ min_length, max_length }: FieldValidation): ControlAttributes {
  return {
    ...(min_length !== undefined && { minlength: min_length }),
    ...(max_length !== undefined && { maxlength: max_length * UNITS_PER_CODE_POINT }),
  }
}

function patternOf(
  { message, pattern }: FieldValidation,
  control: ControlAttributes | undefined,
): ControlAttributes {
  const own = pattern === undefined ? undefined : browserPattern(pattern)
  const hasPattern = own !== undefined || control?.pattern !== undefined
  return {
    ...(own !== undefined && { pattern: own }),
    ...(hasPattern && message !== undefined && { title: message }),
  }
}
