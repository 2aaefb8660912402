import { createHash } from 'node:crypto'
import type { Mutant } from '@stryker-mutator/api/core'

/** The message of a result for a mutant that was not tried. */
export const NOT_IN_SAMPLE = 'not in the sample'

/** Returns whether a mutant belongs to a sample of this many percent. The same mutants are in every run. */
export function isInSample(
  { fileName, location, mutatorName, replacement }: Mutant,
  percent: number,
): boolean {
  const file = fileName.slice(fileName.lastIndexOf('/src/'))
  const { start, end } = location
  const place = [start.line, start.column, end.line, end.column].join(':')
  const hash = createHash('sha256').update([file, place, mutatorName, replacement].join('\n'))
  return (100 * hash.digest().readUInt32BE(0)) / 2 ** 32 < percent
}
