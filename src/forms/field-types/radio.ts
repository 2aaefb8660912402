import type { FieldTypeDefinition } from './field-type.ts'
import { select } from './select.ts'

const { placeholderLabel: _, ...choice } = select

/** Same as select, with another control. */
export const radio: FieldTypeDefinition = {
  ...choice,
  label: 'Radio buttons',
  use: 'One of a few choices, all visible',
  widget: 'radios',
}
