import type { PageAddress } from '../../site/pages/page.ts'

const IMPLIED = '\timplied'

/** The lines of a page in `former.tsv`. */
export function formerLines({ key, formerPaths = [], impliedPaths = [] }: PageAddress): string[] {
  return [
    ...formerPaths.map((path) => `${path}\t${key}\n`),
    ...impliedPaths.map((path) => `${path}\t${key}${IMPLIED}\n`),
  ]
}

/** The key of the page that a line belongs to. */
export function keyOfFormerLine(line: string): string {
  return line.split('\t')[1] ?? ''
}

/** What the lines of one page say. */
export function parseFormerLines(
  lines: readonly string[],
): Required<Pick<PageAddress, 'formerPaths' | 'impliedPaths'>> {
  const pathsOf = (isImplied: boolean) =>
    lines
      .filter((line) => line.endsWith(IMPLIED) === isImplied)
      .map((line) => line.slice(0, line.indexOf('\t')))
  return { formerPaths: pathsOf(false), impliedPaths: pathsOf(true) }
}
