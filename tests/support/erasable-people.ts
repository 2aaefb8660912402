import type { Person } from '#src/privacy/person.ts'

/** The number of people whom `tests/fixtures/busy-inbox.ts` erases again and again. */
export const ERASABLE = 8

/** Returns one of the people who post. */
export function personNumber(number: number): Person & { email: string } {
  return { email: `person-${number}@example.com`, phone: null, text: null, deletesMentions: false }
}
