const MIN_PASSWORD_CHARACTERS = 12
const MAX_PASSWORD_CHARACTERS = 128

/** What is wrong with a new password, in a sentence; undefined when it is good. */
export function findPasswordMistake(password: string): string | undefined {
  const { length } = [...password]
  if (length < MIN_PASSWORD_CHARACTERS) return `Use at least ${MIN_PASSWORD_CHARACTERS} characters.`
  if (length > MAX_PASSWORD_CHARACTERS) return `Use at most ${MAX_PASSWORD_CHARACTERS} characters.`
  return undefined
}
