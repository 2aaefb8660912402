import type { TestContext } from 'node:test'

/** True if promises are tested at the length they name: `npm run soak` sets it. */
export const isSoak = process.env.SOAK === '1'

/** The short length for every run of the tests, or the long one. */
export function soakLength(short: number, long: number): number {
  return isSoak ? long : short
}

/** Prints what was measured: a row of the table that `npm run soak` makes. */
export function printFigure(t: TestContext, text: string): void {
  t.diagnostic(`figure: ${text}`)
}
