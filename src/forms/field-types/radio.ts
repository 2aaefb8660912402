import type { FieldTypeDefinition } from './field-type.ts'
import { select } from './select.ts'

const { placeholderLabel: _, ...choice } = select

/** As select, with another control. */
export const radio: FieldTypeDefinition = {
  ...choice,
  label: 'Choice of one',
  use: 'One of a few, all visible',
  widget: 'radios',
}
