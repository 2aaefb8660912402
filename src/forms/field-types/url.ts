import { describeAnswer } from '../../messages/visitor/answers.ts'
import { cleanLine } from '../answer-text.ts'
import { textType } from './text-type.ts'

/** Longer addresses do not work in every browser and server. */
const MAX_LENGTH = 2_048

/**
 * A pattern that browsers and the server share. Browsers alone take more: addresses that open a program or run a script,
 * `http:example.com`, which is relative on some pages, and spaces, where mails and chats end a link.
 */
export const WEB_ADDRESS = String.raw`[Hh][Tt][Tt][Pp][Ss]?:\/\/\S+`
const NOT_AN_ADDRESS = { code: 'not_a_web_address' } as const

const WHOLE_ADDRESS = new RegExp(`^${WEB_ADDRESS}$`)

/** An absolute http or https address, stored as typed. */
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
