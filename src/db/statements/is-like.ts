import { type RawBuilder, sql } from 'kysely'

/** Selects rows whose text matches a pattern of `LIKE`, ignoring case, on both engines. */
export function isLike(text: RawBuilder<unknown>, pattern: string): RawBuilder<boolean> {
  const letters = [...pattern]
  // SQLite lowercases only ASCII letters.
  const others = new Set(letters.filter((letter) => letter > '\u007f'))
  const lowered = [...others].reduce<RawBuilder<unknown>>(
    (one, letter) => sql`replace(${one}, ${letter.toUpperCase()}, ${letter.toLowerCase()})`,
    sql`lower(${text})`,
  )
  return sql`${lowered} like ${letters.map((letter) => letter.toLowerCase()).join('')} escape '\\'`
}

/** Escapes a text for use in such a pattern. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
