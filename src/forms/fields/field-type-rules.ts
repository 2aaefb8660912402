import { checkbox } from '../field-types/checkbox.ts'
import { date } from '../field-types/date.ts'
import { email } from '../field-types/email.ts'
import type { FieldTypeRule } from '../field-types/field-type.ts'
import { file } from '../field-types/file.ts'
import { hidden } from '../field-types/hidden.ts'
import { number } from '../field-types/number.ts'
import { phone } from '../field-types/phone.ts'
import { radio } from '../field-types/radio.ts'
import { select } from '../field-types/select.ts'
import { text } from '../field-types/text.ts'
import { textarea } from '../field-types/textarea.ts'
import { url } from '../field-types/url.ts'
import type { FieldType } from '../form.ts'

/** The rule of each type of §2.2. */
export const FIELD_TYPE_RULES: Record<FieldType, FieldTypeRule> = {
  ...{ text, email, phone, textarea, select, radio },
  ...{ checkbox, file, hidden, url, number, date },
}
