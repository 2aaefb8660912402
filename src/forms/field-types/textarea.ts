import { cleanLines } from '../answer-text.ts'
import { textRule } from './field-type.ts'

/** Several lines of text, separated by `\n`. */
export const textarea = textRule({ clean: cleanLines })
