// One plain address: neither a list nor a name, however the check of the field may change.
const PLAIN_ADDRESS = /^[^\s@,;:<>()[\]\\"\p{Cc}]+@[^\s@,;:<>()[\]\\"\p{Cc}]+$/u

/** The text when it is one plain email address. */
export function plainAddress(text: string): string | undefined {
  return PLAIN_ADDRESS.test(text) ? text : undefined
}
