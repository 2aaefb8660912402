/** Nobody needs higher counts, and they take longer. */
export const MOST_COUNTED = 100

/** Formats `7`, or `99+` from 100 on. */
export function cappedCount(count: number): string {
  return count < MOST_COUNTED ? String(count) : `${MOST_COUNTED - 1}+`
}

const MOST_NAMED = 8

/** The first names of a long list: `Austin, Dallas …`. */
export function firstOf(names: readonly string[]): string {
  return names.slice(0, MOST_NAMED).join(', ') + (names.length > MOST_NAMED ? ' …' : '')
}
