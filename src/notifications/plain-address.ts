// Matches one plain address, neither a list nor with a name, independent of the field's own check.
const PLAIN_ADDRESS = /^[^\s@,;:<>()[\]\\"\p{Cc}]+@[^\s@,;:<>()[\]\\"\p{Cc}]+$/u

/** Returns the text if it is one plain email address. */
export function plainAddress(text: string): string | undefined {
  return PLAIN_ADDRESS.test(text) ? text : undefined
}
