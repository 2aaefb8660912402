/** Counting further costs more than anybody reads from it. */
export const MOST_COUNTED = 100

/** `7`, or `99+` from 100 on. */
export function cappedCount(count: number): string {
  return count < MOST_COUNTED ? String(count) : `${MOST_COUNTED - 1}+`
}
