import { describeAnswer } from '../../messages/visitor/answers.ts'
import { cleanLine } from '../answer-text.ts'
import { textType } from './text-type.ts'

/** Longer URLs don't work in every browser and server. */
const MAX_LENGTH = 2_048

/**
 * A pattern shared by browsers and the server. Browsers alone would accept URLs that open programs or run
 * scripts, `http:example.com`, which is relative on some pages, and spaces, where email and chat programs end
 * a link.
 */
export const WEB_ADDRESS = String.raw`[Hh][Tt][Tt][Pp][Ss]?:\/\/\S+`
const NOT_AN_ADDRESS = { code: 'not_a_web_address' } as const

const WHOLE_ADDRESS = new RegExp(`^${WEB_ADDRESS}$`)

/** An absolute http or https URL, stored as typed. */
export const url = textType({
  label: 'Web address',
  use: 'Starts with https:// or http://',
  clean: cleanLine,
  maxLength: MAX_LENGTH,
  formatProblem: (text) => (WHOLE_ADDRESS.test(text) && URL.canParse(text) ? undefined : NOT_AN_ADDRESS),
  control: { type: 'url', pattern: WEB_ADDRESS, title: describeAnswer(NOT_AN_ADDRESS) },
  autofill: 'url',
  sample: () => 'https://www.example.com',
})
