import { createMessages, type MessageOf } from '../../lib/messages.ts'
import { countOf } from '../plural.ts'

const CHARACTERS = { one: 'character', other: 'characters' }

const PROBLEMS = {
  missing: () => 'Fill in this field',
  date_missing: () => 'Enter a date',
  number_missing: () => 'Enter a number',
  file_missing: () => 'Choose a file',
  tick_missing: () => 'Check this box to continue',
  choice_missing: () => 'Choose one of the options',
  choices_missing: () => 'Choose at least one option',
  several_answers: () => 'Enter only one answer',
  several_files: () => 'Choose only one file',
  /** Half a surrogate pair, or a NUL. */
  characters_unusable: () =>
    'This answer contains characters that can’t be stored. Remove special characters, then try again',
  /** A large JSON number, of which the parser lost digits. */
  digits_lost: () => 'Some digits of this number were lost. Send the number as a JSON string',
  too_short: ({ min }: { min: number }) => `Use at least ${countOf(min, CHARACTERS)}`,
  too_long: ({ max }: { max: number }) => `Use at most ${countOf(max, CHARACTERS)}`,
  pattern_mismatch: () => 'Use the requested format',
  not_offered: () => 'Choose one of the listed options',
  neither_ticked_nor_empty: () => 'Check the box or leave it unchecked',
  not_an_email: () => 'Enter an email address such as name@example.com',
  not_a_phone_number: ({ example }: { example: string }) => `Enter a full phone number, such as ${example}`,
  not_a_web_address: () => 'Enter a web address such as https://www.example.com',
  not_a_date: () => 'Enter a date such as 2026-11-20',
  too_early: ({ min }: { min: string }) => `Enter a date on or after ${min}`,
  too_late: ({ max }: { max: string }) => `Enter a date on or before ${max}`,
  not_a_number: () => 'Enter a number such as 12 or 3.5',
  too_many_digits: ({ max }: { max: number }) => `Enter a number with at most ${max} digits`,
  too_small: ({ min }: { min: number }) => `Enter a number of ${min} or more`,
  too_large: ({ max }: { max: number }) => `Enter a number of ${max} or less`,
  file_too_large: ({ max }: { max: string }) => `Choose a file no larger than ${max}`,
  file_empty: () => 'This file is empty. Choose another file',
  file_of_other_kind: ({ kinds }: { kinds: string }) => `Choose ${kinds}`,
  bot_check_missing: () =>
    'This form checks that you are human, which requires JavaScript. Turn on JavaScript and submit the form again.',
  bot_check_failed: () => 'The bot check has expired. Submit the form again.',
}

/** A problem with an answer. */
export type AnswerProblem = MessageOf<typeof PROBLEMS>

/** Says what to do about an answer, at its question. */
export const describeAnswer = createMessages(PROBLEMS)
