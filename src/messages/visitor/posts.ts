import { createMessages, type MessageOf } from '../../lib/messages.ts'
import { countOf } from '../plural.ts'

const SECONDS = { one: 'second', other: 'seconds' }
const MINUTES = { one: 'minute', other: 'minutes' }

const UNREADABLE = {
  not_utf8: () => 'The body is not valid UTF-8.',
  not_a_json_object: () => 'The body is not a JSON object.',
  value_of_other_type: ({ name }: { name: string }) =>
    `"${name}" must be a string, a number, a boolean, or an array of strings.`,
  multipart_broken: () => 'The multipart body is malformed or incomplete.',
  boundary_missing: () => 'The multipart body has no boundary.',
}

/** Why the body of a post cannot be read. */
export type UnreadableReason = MessageOf<typeof UNREADABLE>

/** Describes why a post was refused, for the developer of its sender. */
export const describeUnreadable = createMessages(UNREADABLE)

const TOO_MUCH = 'Your submission is too large'

/** Error pages and problem+json for a post: the title says what happened, the text what to do. */
export const postProblems = {
  notFound: { title: 'This form does not exist', text: 'Check the form’s address.' },
  closed: { title: 'This form is closed', text: 'The form no longer accepts submissions.' },
  away: { title: 'This form is temporarily unavailable', text: 'Please try again in a moment.' },
  notStored: {
    title: 'We could not save your answers',
    text: 'Please submit the form again in a moment.',
  },
  uncertain: {
    title: 'We could not confirm that your answers were saved',
    text: 'Please submit the form again in a moment.',
  },
  tooOften: (seconds: number) => ({
    title: 'Too many submissions',
    text: `Your answers were not saved. Please submit the form again in ${duration(seconds)}.`,
  }),
  invalid: { title: 'Please check your answers', text: '' },
  unreadable: 'The form could not be read',
  tooMuchText: (limit: string) => ({
    title: 'Your answers are too long',
    text: `Your answers can contain up to ${limit} in total. Please shorten your answers and submit the form again.`,
  }),
  tooMuchWithFiles: ({ all, text }: { all: string; text: string }) => ({
    title: TOO_MUCH,
    text: `A submission can contain up to ${all}, including files, and up to ${text} of text. Please choose fewer or smaller files and submit the form again.`,
  }),
  tooManyValues: (max: number) => ({
    title: TOO_MUCH,
    text: `A submission can contain up to ${max} answers.`,
  }),
  unsupported: {
    title: 'This format is not supported',
    text: 'Send application/x-www-form-urlencoded, multipart/form-data, or application/json, in UTF-8 and uncompressed.',
  },
  wrongMethod: (allowed: string) => `This address accepts only ${allowed}.`,
}

function duration(seconds: number): string {
  return seconds < 90 ? countOf(seconds, SECONDS) : countOf(Math.ceil(seconds / 60), MINUTES)
}
