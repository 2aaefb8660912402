import type { FieldTypeRule } from './field-type.ts'
import { select } from './select.ts'

/** As select, with another control. */
export const radio: FieldTypeRule = select
