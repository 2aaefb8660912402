import { cleanLine } from '../answer-text.ts'
import { textType } from './text-type.ts'

/** One line of text. */
export const text = textType({
  label: 'Short text',
  use: 'One line, such as a name',
  clean: cleanLine,
  control: { type: 'text' },
  autofill: 'by name',
  isFreeText: true,
  isShort: true,
})
