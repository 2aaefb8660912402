import type { FieldTypeRule } from './field-type.ts'

/** An upload. Nothing is taken yet: an optional field stays empty, a required one says why. */
export const file: FieldTypeRule = {
  options: 'none',
  validationKeys: ['accept', 'max_size'],
  requiredProblem: 'This form cannot take files yet',
  parse: () => ({ answer: null }),
}
