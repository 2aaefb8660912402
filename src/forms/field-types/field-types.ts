import { checkbox } from './checkbox.ts'
import { date } from './date.ts'
import { email } from './email.ts'
import type { FieldTypeDefinition } from './field-type.ts'
import { file } from './file.ts'
import { hidden } from './hidden.ts'
import { number } from './number.ts'
import { phone } from './phone.ts'
import { radio } from './radio.ts'
import { select } from './select.ts'
import { text } from './text.ts'
import { textarea } from './textarea.ts'
import { url } from './url.ts'

// In the order of the admin's menu.
const DEFINITIONS = {
  text,
  textarea,
  email,
  phone,
  url,
  number,
  date,
  select,
  radio,
  checkbox,
  file,
  hidden,
}

/** A type of §2.2. */
export type FieldType = keyof typeof DEFINITIONS

export const FIELD_TYPES: Readonly<Record<FieldType, FieldTypeDefinition>> = DEFINITIONS

export const FIELD_TYPE_NAMES = Object.keys(DEFINITIONS) as FieldType[]

/** The default type. */
export const DEFAULT_FIELD_TYPE: FieldType = 'text'

/** Returns whether a field takes files. */
export function isUpload({ type }: { type: FieldType }): boolean {
  return FIELD_TYPES[type].widget === 'upload'
}

/** Returns the type with that name, or undefined. */
export function findFieldType(name = ''): FieldTypeDefinition | undefined {
  return Object.hasOwn(FIELD_TYPES, name) ? FIELD_TYPES[name as FieldType] : undefined
}
