import type { TestContext } from 'node:test'

/** True if promises are tested at full length, which `npm run soak` requests. */
export const isSoak = process.env.SOAK === '1'

/** Selects the short length for ordinary test runs, or the long one. */
export function soakLength(short: number, long: number): number {
  return isSoak ? long : short
}

/** Prints a measurement: a row of the table that `npm run soak` makes. */
export function printFigure(t: TestContext, text: string): void {
  t.diagnostic(`figure: ${text}`)
}
