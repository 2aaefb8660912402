import { countCodePoints } from '../answer-text.ts'
import { textType } from './text-type.ts'

const MAX_LENGTH = 2_000

/** A text that the page sends along, stored unchanged. */
export const hidden = textType({
  label: 'Hidden value',
  use: 'Sent with the form, never shown',
  clean: (text) => text.toWellFormed(),
  formatProblem: (text) =>
    countCodePoints(text) > MAX_LENGTH ? { code: 'too_long', params: { max: MAX_LENGTH } } : undefined,
  defaultAnswer: { label: 'Value' },
  widget: 'hidden',
})
