import { cleanLine } from '../answer-text.ts'
import { textRule } from './field-type.ts'

/** One line of text. */
export const text = textRule({ clean: cleanLine })
