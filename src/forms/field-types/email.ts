import { cleanLine } from '../answer-text.ts'
import { textType } from './text-type.ts'

// RFC 5321 §4.5.3.1.3 without the angle brackets.
const MAX_ADDRESS_LENGTH = 254

// The pattern of `<input type=email>` (WHATWG HTML, "valid email address"), so that server and browser agree.
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const ADDRESS = new RegExp(`^[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})*$`)

/** An email address, stored as typed. */
export const email = textType({
  label: 'Email address',
  use: 'Checked for a valid format',
  clean: cleanLine,
  formatProblem: (text) =>
    text.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(text) ? undefined : { code: 'not_an_email' },
  control: { type: 'email' },
  autofill: 'email',
  sample: () => 'sample@example.com',
  contact: 'email',
  isShort: true,
})
