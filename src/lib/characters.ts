// XML forbids these and HTML calls them errors. PostgreSQL cannot store U+0000, and no database stores half a
// character.
const UNUSABLE = /[[\p{Cc}\p{Cs}\uFFFE\uFFFF]--[\t\n\r]]/v
const ALL_UNUSABLE = new RegExp(UNUSABLE, 'gv')

/** Finds the first character that no page can show, with its name, such as `U+0000`; undefined without one. */
export function findUnusableCharacter(text: string): { index: number; name: string } | undefined {
  const found = UNUSABLE.exec(text)
  if (!found) return undefined
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return { index: found.index, name: `U+${code}` }
}

/** The text without characters that no page can show. */
export function withoutUnusableCharacters(text: string): string {
  return text.replace(ALL_UNUSABLE, '')
}

// Unicode's bidirectional controls (UAX #9, table 4).
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The text without marks that change its direction, which let a visitor's words read as others: `exe.gpj` as `jpg.exe`. */
export function withoutDirectionMarks(text: string): string {
  return text.replace(DIRECTION_MARKS, '')
}

const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]*$/u

/** Returns whether nobody can see the text: it is empty, or has only spaces and characters without a shape, such as U+200B. */
export function isInvisible(text: string): boolean {
  return INVISIBLE.test(text)
}
