import { join } from 'node:path'
import { compareText } from '../../lib/compare-text.ts'
import { describeFileFault, type FileFault } from '../../messages/files/mistakes.ts'

/** Something wrong in a content file. */
export interface Mistake {
  /** Path inside the content folder: `services/ac-repair.md`. */
  path: string
  /** Counted from 1. */
  line: number
  fault: FileFault
}

/** Sorts mistakes by file and line, the order in which a person fixes them. */
export function inReadingOrder(mistakes: readonly Mistake[]): Mistake[] {
  return mistakes.toSorted((a, b) => compareText(a.path, b.path) || a.line - b.line)
}

/**
 * Formats a mistake as `content/services/ac-repair.md:6: what is wrong, what was expected`; `folder` precedes the
 * path.
 */
export function formatMistake({ path, line, fault }: Mistake, folder: string): string {
  return `${join(folder, path)}:${line}: ${describeFileFault(fault)}`
}
