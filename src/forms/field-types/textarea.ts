import { cleanLines } from '../answer-text.ts'
import { textType } from './text-type.ts'

/** Several lines of text, separated by `\n`. */
export const textarea = textType({
  label: 'Long text',
  use: 'Several lines, such as a message',
  clean: cleanLines,
  widget: 'textarea',
  autofill: 'by name',
  isFreeText: true,
})
