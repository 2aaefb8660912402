import { cleanLine } from '../answer-text.ts'
import { textRule } from './field-type.ts'

/** Longer addresses do not work in every browser and server. */
const MAX_LENGTH = 2_048

/** An absolute http or https address, stored as typed. */
export const url = textRule({
  clean: cleanLine,
  maxLength: MAX_LENGTH,
  formatProblem: (text) =>
    isWebAddress(text) ? undefined : 'Enter a web address such as https://www.example.com',
})

// URL.parse alone is too forgiving: it takes "http:example.com" and spaces.
function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text)
}
