import type { FieldMeaning } from './meaning.ts'

/** A number that visitors dial. */
export const phone: FieldMeaning = {
  named: (number, key) => ({ to: 'phone', name: key, number }),
  // Names nothing; checkEntry knows the number that was stored before.
  resolve: async (_db, number) => ({ value: number }),
  isDialed: true,
}
